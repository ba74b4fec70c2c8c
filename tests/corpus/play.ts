// Plays one job with one real CLI and gives back its session log, in a project that is gone afterwards.

import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import type {Json} from '../../adapters/shared/json.ts';
import {textAt} from '../../adapters/shared/json.ts';
import type {Cli} from '../real/clis.ts';
import {type Ground, openGround} from '../real/ground.ts';
import type {OuterTerminal} from '../real/terminal.ts';
import {until} from '../real/until.ts';
import {busySleep, type Job, killedSleep, stoppedSleep} from './job.ts';
import {type JobModel, openJobModel} from './model.ts';
import {scriptOf, type WireReply} from './script.ts';

export interface Played {
  lines: Json[];
  project: string;
  home: string;
  root: string;
}

export const play = async (job: Job, cli: Cli): Promise<Played> => {
  await using model = await openJobModel();
  const scenario = {main: () => ({is: 'text', text: 'nobody asks here'}) as const};
  await using ground = await openGround({cli, scenario, env: {ANTHROPIC_BASE_URL: model.url}});
  await furnish(ground, job);
  const turns = scriptOf(job, cli.name, ground.project);
  const script = {job, turns, model, ground};
  await (job.headless ? playPiped(script) : playTyped(script));
  if (model.faults.length > 0) throw new Error(`${job.name}: ${model.faults.join('; ')}`);
  const [lines = [], ...others] = (await ground.logs()).filter((log) => log.length > 0);
  if (others.length > 0) throw new Error(`${job.name} has ${others.length + 1} logs`);
  return {lines, project: ground.project, home: ground.home, root: dirname(ground.project)};
};

interface Playing {
  job: Job;
  turns: WireReply[][];
  model: JobModel;
  ground: Ground;
}

/** The files of the project; its programs are found by login shells too, which set PATH anew. */
const furnish = async ({project, home, env}: Ground, {files}: Job): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    const path = join(project, name);
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, text);
    if (name.startsWith('tools/') || name.endsWith('.sh')) await chmod(path, 0o755);
  }
  const line = `export PATH='${project}/tools:${env.PATH}'\n`;
  for (const name of ['.bash_profile', '.bashrc', '.profile']) await writeFile(join(home, name), line);
};

const envOf = ({env, project}: Ground): Record<string, string> => ({...env, PATH: `${project}/tools:${env.PATH}`});

const flagsOf = ({ground, model}: Playing): string[] =>
  ground.cli.word === 'claude'
    ? ['--allowedTools', 'Bash,Edit,Write,Read,TaskCreate,TaskUpdate']
    : [
        '-s',
        'danger-full-access',
        '-c',
        `model_providers.ground.base_url="${model.url}/v1"`,
        '-c',
        'tools.update_plan.enabled=true',
      ];

const playPiped = async (playing: Playing): Promise<void> => {
  const {job, turns, model, ground} = playing;
  model.play(turns.flat());
  const program = ground.pipe(ground.headless(job.turns[0]?.person ?? '', ...flagsOf(playing)), {
    stdin: '',
    env: envOf(ground),
  });
  if (job.end === 'killed') return killInCall(playing);
  const {code, stderr} = await program.exit;
  if (code !== 0) throw new Error(`${job.name} ended with ${code}: ${stderr}`);
};

const playTyped = async (playing: Playing): Promise<void> => {
  const {job, turns, model, ground} = playing;
  let told = 0;
  let over = 0;
  let terminal: OuterTerminal | undefined;
  for (const [at, turn] of job.turns.entries()) {
    model.play(turns[at] ?? []);
    if (terminal === undefined)
      terminal = ground.start(ground.tui(turn.person, ...flagsOf(playing)), {env: envOf(ground)});
    else await say(terminal, turn.person);
    told += turns[at]?.length ?? 0;
    await until(`${told} answers in ${job.name}`, () => model.given() >= told, 60_000);
    const next = job.turns[at + 1];
    if (next?.when === 'busy') await ground.untilAsleep(busySleep);
    else if (next?.when === 'stopped') await stop(ground, terminal);
    else if (next !== undefined || job.end === 'over') {
      over += 1;
      const wanted = over;
      await until(
        `the end of turn ${wanted} in ${job.name}`,
        async () => (await ground.logs()).flat().filter(isOver).length >= wanted,
      );
    }
  }
  if (job.end === 'killed') await killInCall(playing);
  if (job.end === 'killed') await terminal?.exit;
};

/** Enter is not believed when it comes together with the text. */
const say = async (terminal: OuterTerminal, text: string): Promise<void> => {
  terminal.type(text);
  const start = text.slice(0, 16);
  await terminal.waitFor((screen) => screen.includes(start), 10_000);
  await wait(300);
  terminal.type('\r');
};

const stop = async (ground: Ground, terminal: OuterTerminal): Promise<void> => {
  await ground.untilAsleep(stoppedSleep);
  await wait(500);
  terminal.type('\x1b');
  await until('the interrupt in the log', async () =>
    JSON.stringify(await ground.logs()).includes(interrupted(ground)),
  );
  await wait(500);
};

const interrupted = ({cli}: Ground): string =>
  cli.word === 'claude' ? '[Request interrupted by user' : '"turn_aborted"';

const isOver = (line: Json): boolean =>
  textAt(line, 'subtype') === 'turn_duration' || textAt(line, 'payload', 'type') === 'task_complete';

/** SIGKILL, once the call runs and the log has it. */
const killInCall = async ({ground, job, turns}: Playing): Promise<void> => {
  await ground.untilAsleep(killedSleep, 60_000);
  const call = turns.flat().at(-1)?.calls.at(-1);
  const line = JSON.stringify(JSON.stringify(call?.input)).slice(3, 40);
  await until(`the last call of ${job.name} in the log`, async () => {
    const log = JSON.stringify(await ground.logs());
    return log.includes(line) || log.includes(JSON.stringify(call?.input).slice(1, 40));
  });
  for (const {pid} of await ground.agents()) process.kill(pid, 'SIGKILL');
  await until('the agent to be gone', async () => (await ground.agents()).length === 0);
};
