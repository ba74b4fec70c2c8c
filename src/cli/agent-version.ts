// What the agent says to `--version`, where something depends on it.

import type {Adapter} from '../adapter/adapter.ts';
import {autocompactFile, readAutocompact} from '../adapter/autocompact.ts';
import type {LaunchSpec} from '../ports.ts';
import type {Ports, RunPlan} from '../run/plan.ts';

interface World {
  env: Record<string, string | undefined>;
  askVersion(spec: LaunchSpec): Promise<string | undefined>;
}

export type Asked = Pick<RunPlan, 'adapter' | 'binary'>;

/** Only one setting depends on it, and asking costs a start of the agent. */
export const versionIfAsked = async (
  {adapter, binary, checkpointDir, cwd}: Asked & Pick<RunPlan, 'checkpointDir' | 'cwd'>,
  {readFile}: Pick<Ports, 'readFile'>,
  world: World,
): Promise<string | undefined> => {
  const setting = readAutocompact(readFile(`${checkpointDir}/${autocompactFile}`));
  if (setting.is !== 'percent') return undefined;
  const args = [...binary.args, ...adapter.binary.versionArgs];
  return world.askVersion({file: binary.file, args, env: scrubbed(world.env, adapter), cwd});
};

/** The person's environment, less what would confuse a nested agent. */
export const scrubbed = (env: Record<string, string | undefined>, adapter: Adapter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || adapter.env.scrub.includes(name) ? [] : [[name, value]],
    ),
  );
