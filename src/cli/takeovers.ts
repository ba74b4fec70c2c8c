// `--takeover`: the agents that may go on when the first one cannot. Found at the start, so that nobody learns in the
// night that the other one is not installed.

import type {Adapter, AgentCode, ParsedArgv} from '../adapter/adapter.ts';
import {parseArgv} from '../adapter/argv.ts';
import {type Failure, fail, ok, type Result} from '../core/failure.ts';
import type {AgentPlan} from '../run/plan.ts';

interface First {
  adapter: Adapter;
  parsed: Extract<ParsedArgv, {kind: 'run'}>;
}

interface Finder {
  findAdapter(name: string): Result<Adapter>;
  findBinary(adapter: Adapter, program: string | undefined): Result<{file: string; args: string[]}>;
  loadCode(adapter: Adapter): Promise<AgentCode>;
}

/** In their order. The first agent's flags are its own: the others start with none, as headless as the first. */
export const findTakeovers = async (names: string[], first: First, world: Finder): Promise<Result<AgentPlan[]>> => {
  const found: AgentPlan[] = [];
  for (const name of names) {
    const adapter = world.findAdapter(name);
    if (!adapter.ok) return adapter;
    const refused = refusal(adapter.value, [first, ...found]);
    if (refused !== undefined) return fail(refused);
    const binary = world.findBinary(adapter.value, undefined);
    if (!binary.ok) return binary;
    const parsed = parseArgv(first.parsed.headless ? adapter.value.argv.headless.slice(0, 1) : [], adapter.value.argv);
    if (parsed.kind === 'pass') throw new Error(`Internal error: ${name} without arguments is no run`);
    const code = await world.loadCode(adapter.value);
    found.push({adapter: adapter.value, binary: binary.value, parsed, code, version: undefined});
  }
  return ok(found);
};

const refusal = ({name, binary, argv}: Adapter, before: First[]): Failure | undefined => {
  const bad = (what: string, fix: string): Failure => ({is: 'bad-usage', what: `--takeover ${name}: ${what}`, fix});
  if (binary.names.length === 0) return bad('it names no program of its own', 'name an agent that has an adapter');
  if (before.some(({adapter}) => adapter.name === name)) {
    return bad('it is in this run already', 'each agent takes over once: name another one');
  }
  return before[0]?.parsed.headless && argv.headless.length === 0
    ? bad('it cannot run without a terminal, as this run does', 'name another agent')
    : undefined;
};
