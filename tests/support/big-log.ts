// Feeds a reader a session log of the size given in megabytes, made line by line as it goes, and tells what is left of it.
// tests/io/session-logs/big-log.test.ts runs it in a process that has little memory.

import {newLogReader as claudeReader} from '../../adapters/claude/session-log.ts';
import {newLogReader as codexReader} from '../../adapters/codex/session-log.ts';

const [agent = 'claude', megabytes = '1'] = process.argv.slice(2);
const reader = agent === 'codex' ? codexReader() : claudeReader();
const output = 'one line of what a command printed\n'.repeat(600);
const time = (n: number): string => new Date(1_794_000_000_000 + n * 1000).toISOString();

const claudeLines = (n: number): object[] => [
  {type: 'user', message: {role: 'user', content: n % 50 === 0 ? `also do ${n}` : [{type: 'text', text: ''}]}},
  {
    type: 'assistant',
    message: {
      id: `m${n}`,
      model: 'x',
      content: [
        {type: 'text', text: `Decision: use number ${n} because it is next.`},
        {type: 'tool_use', id: `t${n}`, name: 'Bash', input: {command: `step ${n} > out-${n}.txt`}},
        {type: 'tool_use', id: `lost${n}`, name: 'Bash', input: {command: `never ended ${n}`}},
      ],
    },
  },
  {
    type: 'user',
    message: {role: 'user', content: [{type: 'tool_result', tool_use_id: `t${n}`, content: output, is_error: false}]},
    toolUseResult: {stdout: output, stderr: ''},
  },
];

const codexLines = (n: number): object[] => [
  {
    type: 'response_item',
    payload: {
      type: 'function_call',
      name: 'exec_command',
      call_id: `c${n}`,
      arguments: JSON.stringify({cmd: `step ${n}`}),
    },
  },
  {
    type: 'event_msg',
    payload: {
      type: 'item_completed',
      item: {
        type: 'CommandExecution',
        id: `c${n}`,
        command: ['/bin/bash', '-lc', `step ${n} > out-${n}.txt`],
        exit_code: n % 3,
        aggregated_output: output,
      },
    },
  },
  {type: 'response_item', payload: {type: 'function_call_output', call_id: `c${n}`, output}},
  {
    type: 'response_item',
    payload: {type: 'function_call', name: 'update_plan', call_id: `lost${n}`, arguments: '{"plan":[{"step":"x"}]}'},
  },
];

let bytes = 0;
let lines = 0;
for (let n = 0; bytes < Number(megabytes) * 1_000_000; n += 1) {
  for (const entry of agent === 'codex' ? codexLines(n) : claudeLines(n)) {
    const line = JSON.stringify({sessionId: 's', cwd: '/project', timestamp: time(n), ...entry});
    bytes += line.length;
    lines += 1;
    reader.feed(line);
  }
}
const facts = reader.facts();
process.stdout.write(
  JSON.stringify({
    bytes,
    lines,
    factsSize: JSON.stringify(facts).length,
    calls: facts.callCount,
    asks: facts.asks.length,
  }),
);
