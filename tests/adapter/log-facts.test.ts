import {describe, expect, test} from 'vitest';
import {bothLogs, factsOfClaude, factsOfCodex} from './log-lines.ts';

describe.each(bothLogs)('what a log of %s shows', (_, factsOf) => {
  test('commands with their exit codes and how long they took', () => {
    const facts = factsOf((log) => {
      log.runs('npm ci');
      log.runs('make deploy', 3, 'no such host');
    });
    expect(facts.commands).toMatchObject([
      {command: 'npm ci', state: 'finished', exitCode: 0, ms: expect.any(Number)},
      {command: 'make deploy', state: 'failed', exitCode: 3, ms: expect.any(Number)},
    ]);
    expect(facts.commands[0]?.ms).toBeGreaterThan(0);
  });

  test('files read and edited, relative to the folder, by tools and by the shell', () => {
    const facts = factsOf((log) => {
      log.reads('src/a.ts');
      log.edits('src/a.ts');
      log.runs(`cat > src/b.ts <<'EOF'\nx\nEOF`);
      log.runs(`cd docs && sed -i 's/a/b/' guide.md && tail -n 3 /project/README.md > /dev/null`);
      log.runs('printf x >> $FILE; ls *.ts > /dev/null');
      log.runs('cat missing.txt', 1, 'No such file');
    });
    expect(facts.edits).toEqual(['src/a.ts', 'src/b.ts', 'docs/guide.md']);
    expect(facts.reads).toEqual(['src/a.ts', 'README.md']);
    expect(facts.callsBeforeEdit).toBe(1);
  });

  test('the last test run, and whether files were changed since', () => {
    const red = factsOf((log) => {
      log.runs('npm test', 0);
      log.runs('pytest -q', 1, '1 failed in 0.1s');
      log.runs('git status');
    });
    expect(red.lastTest).toEqual({command: 'pytest -q', outcome: 'failed', changedSince: false});
    const stale = factsOf((log) => {
      log.runs('npm test', 0);
      log.edits('src/a.ts');
    });
    expect(stale.lastTest).toEqual({command: 'npm test', outcome: 'passed', changedSince: true});
    expect(factsOf((log) => log.runs('ls')).lastTest).toBeUndefined();
  });

  test('a test whose status is lost in a pipe is judged by its words', () => {
    const facts = factsOf((log) => log.runs('npm test 2>&1 | tail -3', 0, ' Tests  1 failed | 3 passed (4)'));
    expect(facts.lastTest).toMatchObject({outcome: 'failed'});
  });

  test('commands that failed again and again, until they work', () => {
    const facts = factsOf((log) => {
      log.runs('pip install left-pad', 1, 'ERROR: No matching distribution found for left-pad\nWARNING: old pip');
      log.runs('pip install left-pad', 1, 'ERROR: No matching distribution found for left-pad');
      log.runs('curl -fsS http://127.0.0.1:1/', 7, 'refused');
      log.runs('docker start db', 1, 'no such container');
      log.runs('docker start db', 1, 'no such container');
      log.runs('docker start db', 0);
    });
    expect(facts.failures).toEqual([
      {
        command: 'pip install left-pad',
        times: 2,
        exitCode: 1,
        said: 'ERROR: No matching distribution found for left-pad',
      },
    ]);
  });

  test('a red test, a broken build or a search without a match is no dead end', () => {
    const facts = factsOf((log) => {
      for (let time = 0; time < 3; time += 1) {
        log.runs('npm test', 1);
        log.runs('npx tsc --noEmit', 2);
        log.runs('grep -rn nothing src', 1);
      }
    });
    expect(facts.failures).toEqual([]);
  });

  test('a command left running is no call in flight, until its end is told', () => {
    const left = factsOf((log) => void log.leaves('npm run dev'));
    expect(left).toMatchObject({
      running: ['npm run dev'],
      callCount: 0,
      recentCalls: [{state: 'open', background: true}],
    });
    const ended = factsOf((log) => log.leaves('npm test')());
    expect(ended).toMatchObject({running: [], callCount: 1, lastTest: {outcome: 'passed'}});
  });

  test('a call that the person cut short has not failed like others', () => {
    const facts = factsOf((log) => log.stops('git push'));
    expect(facts.recentCalls).toMatchObject([{input: 'git push', state: 'failed', stopped: true}]);
  });

  test('a call without its end is open', () => {
    const facts = factsOf((log) => log.begins('./deploy.sh prod'));
    expect(facts.recentCalls).toMatchObject([{input: './deploy.sh prod', state: 'open', outside: true}]);
    expect(facts.firstCallAt).toBeGreaterThan(0);
  });

  test('links that an outside command made', () => {
    const facts = factsOf((log) => {
      log.runs('cat notes.md', 0, 'see https://github.com/o/r/pull/1');
      log.runs('gh pr create --fill', 0, 'Creating pull request\nhttps://github.com/o/r/pull/12\n');
    });
    expect(facts.links).toEqual(['https://github.com/o/r/pull/12']);
  });

  test('a checklist in the agent’s words, the newest one', () => {
    const facts = factsOf((log) => {
      log.says('Plan:\n- [ ] parser\n- [ ] tests');
      log.says('Now:\n- [x] parser\n- [~] tests\n- [ ] docs');
      log.says('- [ ] one item alone is no list');
    });
    expect(facts.tasks).toEqual([
      {title: 'parser', state: 'completed'},
      {title: 'tests', state: 'in_progress'},
      {title: 'docs', state: 'pending'},
    ]);
    expect(facts.tasksBy).toBe('claimed');
  });

  test('facts of a long log stay small', () => {
    const size = (rounds: number): number => {
      const facts = factsOf((log) => {
        for (let n = 0; n < rounds; n += 1) {
          log.person(`ask ${n} ${'a'.repeat(300)}`);
          log.says(`Decision: use number ${n} because ${'w'.repeat(300)}.`);
          log.runs(`command-${n} ${'x'.repeat(600)}`, n % 2, 'o'.repeat(2000));
          log.edits(`src/${n}.ts`);
          log.reads(`lib/${n}.ts`);
          log.begins(`sleep ${n}`);
        }
      });
      return JSON.stringify(facts).length;
    };
    const some = size(600);
    expect(size(1500)).toBeLessThan(some * 1.1);
    expect(some).toBeLessThan(500_000);
  }, 30_000);
});

describe('what the person said between the lines', () => {
  test('Claude Code: why a call was refused, and the answer to a question', () => {
    const facts = factsOfClaude((log) => {
      log.person('do it');
      const refused =
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse y instead";
      log.raw({
        type: 'user',
        message: {role: 'user', content: [{type: 'tool_result', tool_use_id: 'q', content: refused, is_error: true}]},
      });
      log.raw({
        type: 'user',
        message: {
          role: 'user',
          content: [{type: 'tool_result', tool_use_id: 'r', content: 'Your questions have been answered'}],
        },
        toolUseResult: {questions: [{question: 'Which database?'}], answers: {'Which database?': 'sqlite'}},
      });
    });
    expect(facts.asks).toEqual(['do it', 'use y instead', 'Which database? → sqlite']);
  });

  test('Claude Code: a command of their own, not the CLI’s', () => {
    const command = (name: string, args: string): string =>
      `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
    const facts = factsOfClaude((log) => {
      log.person(command('fix-issue', '42'));
      log.person(command('compact', 'keep the plan'));
      log.person(command('model', 'opus'));
    });
    expect(facts.asks).toEqual(['/fix-issue 42']);
  });

  test('Claude Code: a file that they named is read', () => {
    const facts = factsOfClaude((log) =>
      log.raw({type: 'attachment', attachment: {type: 'file', filename: '/project/README.md'}}),
    );
    expect(facts.reads).toEqual(['README.md']);
  });

  test('Codex: the answer to a question; a plan that was refused does not count', () => {
    const facts = factsOfCodex((log) => {
      const ask = {questions: [{id: 'db', question: 'Which database?'}]};
      const plan = {plan: [{step: 'a', status: 'pending'}]};
      const call = (name: string, id: string, input: object) =>
        log.raw({
          type: 'response_item',
          payload: {type: 'function_call', name, call_id: id, arguments: JSON.stringify(input)},
        });
      const output = (id: string, text: string) =>
        log.raw({type: 'response_item', payload: {type: 'function_call_output', call_id: id, output: text}});
      call('request_user_input', 'q', ask);
      output('q', '{"answers":{"db":{"answers":["sqlite"]}}}');
      call('update_plan', 'p', plan);
      output('p', 'unsupported call: update_plan');
    });
    expect(facts.asks).toEqual(['Which database? → sqlite']);
    expect(facts.tasks).toEqual([]);
    expect(facts.recentCalls.at(-1)).toMatchObject({name: 'update_plan', state: 'failed'});
  });
});

test('what a hook has told before the log does is not forgotten when the log comes', async () => {
  const {newLogReader} = await import('../../adapters/claude/session-log.ts');
  const {millis} = await import('../../src/core/ids.ts');
  const born = Date.parse('2026-11-18T10:00:00Z');
  const reader = newLogReader(millis(born));
  reader.note(born + 500, {block: {type: 'tool_use', id: 'a', name: 'Bash', input: {command: 'git push'}}});
  reader.feed(
    JSON.stringify({type: 'user', timestamp: '2026-11-18T10:00:00.100Z', message: {role: 'user', content: 'go'}}),
  );
  expect(reader.facts().recentCalls).toMatchObject([{input: 'git push', state: 'open'}]);
  const told = {duration_ms: 40, is_interrupt: false};
  reader.note(born + 900, {
    block: {type: 'tool_result', tool_use_id: 'a', content: 'Exit code 128', is_error: true},
    told,
  });
  expect(reader.facts().recentCalls).toMatchObject([{state: 'failed', exitCode: 128, ms: 40}]);
});

describe('what the hooks of Claude Code tell', () => {
  const read = async (...hooks: [string, object][]) => {
    const {newLogReader} = await import('../../adapters/claude/session-log.ts');
    const {readHook} = await import('../../adapters/claude/hooks.ts');
    const reader = newLogReader();
    for (const [at, [name, payload]] of hooks.entries()) {
      const {news} = readHook(name, {session_id: 's', transcript_path: '/l', tool_use_id: 'a', ...payload});
      if (news !== undefined) reader.note(at * 1000, news);
    }
    return reader.facts();
  };
  const begun: [string, object] = ['PreToolUse', {tool_name: 'Bash', tool_input: {command: 'npm test'}}];

  test('a command that went well, with its time', async () => {
    const facts = await read(begun, ['PostToolUse', {tool_response: {stdout: 'ok', stderr: ''}, duration_ms: 40}]);
    expect(facts.commands).toMatchObject([{command: 'npm test', state: 'finished', exitCode: 0, ms: 40}]);
    expect(facts.lastTest).toMatchObject({outcome: 'passed'});
  });

  test('one that failed, and one that the person stopped', async () => {
    const failed = await read(begun, ['PostToolUseFailure', {error: 'Exit code 3', is_interrupt: false}]);
    expect(failed.commands).toMatchObject([{state: 'failed', exitCode: 3}]);
    const stopped = await read(begun, ['PostToolUseFailure', {error: 'interrupted', is_interrupt: true}]);
    expect(stopped.recentCalls).toMatchObject([{state: 'failed', stopped: true}]);
  });

  test('one that goes on in the background', async () => {
    const facts = await read(begun, ['PostToolUse', {tool_response: {stdout: '', backgroundTaskId: 'b'}}]);
    expect(facts).toMatchObject({running: ['npm test'], callCount: 0});
  });

  test('a task, by the number that comes with it', async () => {
    const facts = await read(
      ['PreToolUse', {tool_name: 'TaskCreate', tool_input: {subject: 'parser'}}],
      ['PostToolUse', {tool_response: {task: {id: '7', subject: 'parser'}}}],
      ['PreToolUse', {tool_use_id: 'b', tool_name: 'TaskUpdate', tool_input: {taskId: '7', status: 'completed'}}],
      ['PostToolUse', {tool_use_id: 'b', tool_response: {success: true}}],
    );
    expect(facts.tasks).toEqual([{title: 'parser', state: 'completed'}]);
  });
});

test.each([
  'sudo -a ',
  'npm --x ',
  'docker run ',
  'git -c a ',
  '$(',
  "'",
  '<<E\n',
  'I decided because ',
  '- [x] a\n',
  'OK, so, ',
])('a command and words of many times %j are read to their end', (part) => {
  const text = part.repeat(20_000 / part.length);
  const facts = factsOfClaude((log) => {
    log.runs(text);
    log.says(text);
  });
  expect(facts.callCount).toBe(1);
});
