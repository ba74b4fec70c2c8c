// Which calls wait in the hook, and what the hook's command does with the others.

import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test, vi} from 'vitest';
import {dropCommand, heldCall} from '../../adapters/shared/held.ts';
import {isRisky, riskyHint} from '../../adapters/shared/risky.ts';
import {relayPath} from '../../src/io/setup/adapter-files.ts';

const risky = [
  'rm -rf src',
  'cd a && rm -r b',
  'sudo rm -fr /srv/x',
  'rm *.ts',
  'rm a b c',
  'ls | xargs rm',
  'find . -name "*.o" -delete',
  'find . -type f -exec rm {} +',
  'git reset --hard HEAD~3',
  'git -C sub reset --hard',
  'git clean -fdx',
  'git checkout -- .',
  'git checkout .',
  'git restore src',
  'git rebase -i main',
  'git pull --rebase',
  'git stash drop',
  'git branch -D old',
  'git filter-branch --all',
  'bash -lc "rm -rf build"',
  'npx prisma migrate deploy',
  'python manage.py migrate',
  'npm run migrate:up',
  'rails db:rollback migrate',
  'psql -c "DROP TABLE users"',
  'rsync -a --delete a/ b/',
  'echo $(rm -rf x)',
];
const harmless = [
  'ls -la',
  'rm one.txt',
  'git status --short',
  'git commit -m "rm -rf is bad"',
  'git checkout -b feature',
  'git restore --staged a.ts',
  'git stash list',
  'grep -rn "git reset --hard" .',
  'echo drop it',
  'cat migrations/001.sql',
  'find . -name x',
  'npm test',
];

describe('risky', () => {
  test.each(risky)('%s', (command) => expect(isRisky('Bash', command)).toBe(true));
  test.each(harmless)('not: %s', (command) => expect(isRisky('Bash', command)).toBe(false));
  test('a patch that deletes many files, and not one that deletes one', () => {
    const patch = (count: number) => `*** Begin Patch\n${'*** Delete File: a\n'.repeat(count)}*** End Patch`;
    expect(isRisky('apply_patch', patch(3))).toBe(true);
    expect(isRisky('apply_patch', patch(1))).toBe(false);
    expect(isRisky('Write', 'rm -rf x')).toBe(false);
  });
  test('the hint that the agent’s shell looks for is in every one of them, and in few others', () => {
    const hints = (command: string): boolean => {
      const input = JSON.stringify({tool_name: 'Bash', tool_input: {command}});
      try {
        execFileSync('grep', ['-Eq', riskyHint], {input});
        return true;
      } catch {
        return false;
      }
    };
    expect(risky.filter((command) => !hints(command))).toEqual([]);
    for (const command of ['ls -la', 'git status --short', 'git diff', 'npm test', 'find . -name x']) {
      expect([command, hints(command)]).toEqual([command, false]);
    }
  });
});

test('a held call tells what it would do', () => {
  expect(heldCall({tool_name: 'Bash', tool_input: {command: 'git push'}})).toEqual({
    ...{what: 'Bash: git push', risky: false, outside: true},
  });
  expect(heldCall({tool_name: 'mcp__github__create_issue', tool_input: {}})).toMatchObject({outside: true});
  expect(heldCall(null)).toEqual({what: '', risky: false, outside: false});
});

describe('the command of the hook', () => {
  const spool = mkdtempSync(join(tmpdir(), 'ckpt-held-'));
  afterAll(() => rmSync(spool, {recursive: true, force: true}));
  const payload = (command: string) => JSON.stringify({tool_name: 'Bash', tool_input: {command}});
  const run = (hold: Parameters<typeof dropCommand>[2], command: string) => {
    const child = spawn('sh', ['-c', dropCommand({relay: relayPath(), spool}, 'PreToolUse', hold)]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stdin.end(payload(command));
    return new Promise<{code: number | null; out: string}>((resolve) =>
      child.on('close', (code) => resolve({code, out})),
    );
  };
  const files = () => readdirSync(spool).filter((name) => name.endsWith('.json'));
  const taken = (): string[] => {
    const names = files();
    for (const name of names) rmSync(join(spool, name));
    return names.map((name) => name.split('.')[1] ?? '');
  };

  test('what shows no risky word goes on at once', async () => {
    expect(await run({risky: true, approvalMs: undefined}, 'git status')).toEqual({code: 0, out: ''});
    expect(taken()).toEqual(['PreToolUse']);
  });

  test('what does waits for its answer, and leaves nothing behind', async () => {
    const end = run({risky: true, approvalMs: undefined}, 'rm -rf x');
    await vi.waitFor(() => expect(files()).toHaveLength(1), {timeout: 20_000});
    const [name = ''] = files();
    expect(name).toMatch(/\.HeldToolUse\.json$/);
    expect(readFileSync(join(spool, name), 'utf8')).toBe(payload('rm -rf x'));
    const id = name.replace(/\.json$/, '');
    writeFileSync(join(spool, `${id}.out`), '{"no":1}');
    writeFileSync(join(spool, `${id}.answer`), '0\n');
    expect(await end).toEqual({code: 0, out: '{"no":1}'});
    taken();
    expect(readdirSync(spool)).toEqual([]);
  });

  test('with a person to be asked every command waits; when nobody answers it is denied', async () => {
    writeFileSync(join(spool, 'deny'), '{"denied":true}');
    // 1 ms for the person, and the margin of the relay, cut short here.
    const command = dropCommand({relay: relayPath(), spool}, 'PreToolUse', {risky: true, approvalMs: 1}).replace(
      /hold '?\d+'?/,
      'hold 1',
    );
    const child = spawn('sh', ['-c', command]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stdin.end(payload('ls'));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(out).toBe('{"denied":true}');
  });
});
