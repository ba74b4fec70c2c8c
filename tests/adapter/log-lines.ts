// Lines of the two session logs, made up in the shape of the recorded ones (tests/fixtures/corpus has the real ones).

import {newLogReader as claudeReader} from '../../adapters/claude/session-log.ts';
import {newLogReader as codexReader} from '../../adapters/codex/session-log.ts';
import type {LegFacts} from '../../src/baton/facts.ts';

/** Every line a second after the one before. */
const clock = () => {
  let at = Date.parse('2026-11-18T10:00:00.000Z');
  return (): string => {
    at += 1000;
    return new Date(at).toISOString();
  };
};

export interface Script {
  person(text: string): void;
  says(text: string): void;
  /** A shell command that has ended. */
  runs(command: string, exit?: number, output?: string): void;
  /** A call without its end. */
  begins(command: string): void;
  /** A command that the agent does not wait for; gives its end to be told later. */
  leaves(command: string): () => void;
  edits(path: string): void;
  reads(path: string): void;
  stops(command: string): void;
  raw(entry: object): void;
}

export const factsOfClaude = (play: (script: Script) => void): LegFacts => {
  const reader = claudeReader();
  const next = clock();
  let id = 0;
  const raw = (entry: object): void => {
    reader.feed(JSON.stringify({sessionId: 's', cwd: '/project', timestamp: next(), ...entry}));
  };
  const use = (name: string, input: object): string => {
    id += 1;
    raw({
      type: 'assistant',
      message: {id: `m${id}`, model: 'x', content: [{type: 'tool_use', id: `t${id}`, name, input}]},
    });
    return `t${id}`;
  };
  const result = (tool: string, content: string, isError: boolean, more = {}): void => {
    const block = {type: 'tool_result', tool_use_id: tool, content, is_error: isError};
    raw({type: 'user', message: {role: 'user', content: [block]}, ...more});
  };
  const script: Script = {
    raw,
    person: (text) => raw({type: 'user', message: {role: 'user', content: text}}),
    says: (text) => raw({type: 'assistant', message: {id: 'm', model: 'x', content: [{type: 'text', text}]}}),
    runs: (command, exit = 0, output = '') => {
      const tool = use('Bash', {command});
      if (exit === 0) result(tool, output, false, {toolUseResult: {stdout: output, stderr: '', interrupted: false}});
      else result(tool, `Exit code ${exit}\n${output}`, true, {toolUseResult: `Error: Exit code ${exit}`});
    },
    begins: (command) => void use('Bash', {command}),
    leaves: (command) => {
      const tool = use('Bash', {command, run_in_background: true});
      result(tool, 'Command running in background with ID: b1.', false, {
        toolUseResult: {stdout: '', backgroundTaskId: 'b1'},
      });
      const prompt = `<task-notification>\n<tool-use-id>${tool}</tool-use-id>\n<status>completed</status>\n<summary>Background command "x" completed (exit code 0)</summary>\n</task-notification>`;
      return () =>
        raw({type: 'attachment', attachment: {type: 'queued_command', prompt, commandMode: 'task-notification'}});
    },
    edits: (path) => result(use('Edit', {file_path: `/project/${path}`}), 'updated', false),
    reads: (path) => result(use('Read', {file_path: `/project/${path}`}), '1\tx', false),
    stops: (command) => {
      const words =
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
      result(use('Bash', {command}), words, true, {toolUseResult: 'User rejected tool use'});
    },
  };
  play(script);
  return reader.facts();
};

export const factsOfCodex = (play: (script: Script) => void): LegFacts => {
  const reader = codexReader();
  const next = clock();
  let id = 0;
  const raw = (entry: object): void => {
    reader.feed(JSON.stringify({timestamp: next(), ordinal: 1, ...entry}));
  };
  const event = (payload: object): void => raw({type: 'event_msg', payload});
  const item = (more: object): void =>
    event({type: 'item_completed', item: more, started_at_ms: 1000, completed_at_ms: 3000});
  const call = (cmd: string): string => {
    id += 1;
    const payload = {type: 'function_call', name: 'exec_command', call_id: `c${id}`, arguments: JSON.stringify({cmd})};
    raw({type: 'response_item', payload});
    return `c${id}`;
  };
  const output = (call_id: string, text: string): void =>
    raw({type: 'response_item', payload: {type: 'function_call_output', call_id, output: text}});
  const done = (call_id: string, cmd: string, end: {exit: number; text: string; parsed?: object[]}): void =>
    item({
      type: 'CommandExecution',
      id: call_id,
      command: ['/bin/bash', '-lc', cmd],
      cwd: 'file:///project',
      parsed_cmd: end.parsed ?? [{type: 'unknown', cmd}],
      status: end.exit === 0 ? 'completed' : 'failed',
      aggregated_output: end.text,
      exit_code: end.exit,
    });
  raw({type: 'session_meta', payload: {id: 's', cwd: '/project', cli_version: '0.169.0'}});
  const script: Script = {
    raw,
    person: (text) => item({type: 'UserMessage', id: 'u', content: [{type: 'text', text}]}),
    says: (text) => item({type: 'AgentMessage', id: 'a', content: [{type: 'Text', text}]}),
    runs: (command, exit = 0, text = '') => {
      const tool = call(command);
      done(tool, command, {exit, text});
      output(tool, `Chunk ID: 1\nWall time: 2.0 seconds\nProcess exited with code ${exit}\nOutput:\n${text}`);
    },
    begins: (command) => void call(command),
    leaves: (command) => {
      const tool = call(command);
      output(tool, 'Chunk ID: 1\nWall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\n');
      return () => done(tool, command, {exit: 0, text: ''});
    },
    edits: (path) => {
      id += 1;
      item({type: 'FileChange', id: `c${id}`, changes: {[`/project/${path}`]: {type: 'update'}}, status: 'completed'});
    },
    reads: (path) => {
      const command = `cat ${path}`;
      done(call(command), command, {exit: 0, text: 'x', parsed: [{type: 'read', cmd: command, path}]});
    },
    stops: (command) => output(call(command), 'Wall time: 1.5 seconds\naborted by user'),
  };
  play(script);
  return reader.facts();
};

export const bothLogs = [
  ['Claude Code', factsOfClaude],
  ['Codex', factsOfCodex],
] as const;
