import {describe, expect, it} from 'vitest';
import type {DoctorFacts} from '../../src/doctor/facts.ts';
import {type Finding, findings} from '../../src/doctor/findings.ts';
import {compareVersions, versionIn} from '../../src/doctor/versions.ts';
import {findingsText} from '../../src/doctor/words.ts';

const fine: DoctorFacts = {
  node: '20.20.2',
  pty: undefined,
  relay: undefined,
  folder: {path: '/p/runtime/checkpoints', exists: true, problem: undefined, freeBytes: 1e12},
  lock: 'kernel',
  sandbox: {insideProject: true, insideGit: false, within: false},
  git: {version: '2.39.5', repository: true, ignored: true, tracked: false, exclude: undefined},
  agents: [
    {
      name: 'claude',
      named: false,
      file: '/bin/claude',
      version: '2.1.326',
      tested: ['2.1.197', '2.1.326'],
      install: 'npm i claude',
    },
    {name: 'codex', named: false, file: '/bin/codex', version: '0.169.0', tested: ['0.169.0'], install: 'npm i codex'},
  ],
  config: [],
  index: undefined,
  runs: {lost: [], broken: []},
  leftovers: [],
  strays: [],
  staleLock: undefined,
  registry: {path: '/home/me/.local/state/ckpt-run/runs', problem: undefined},
};

const off = (facts: Partial<DoctorFacts>): Finding[] => findings({...fine, ...facts}).filter(({is}) => is !== 'good');
const [claude, codex] = fine.agents as [DoctorFacts['agents'][0], DoctorFacts['agents'][0]];

it('a machine in order has nothing to mend and nothing to know', () => {
  expect(off({})).toEqual([]);
  expect(findingsText(findings(fine))).toMatch(/^✓ node .*\n(✓ .*\n)+In order\.\n$/);
});

describe('what must be mended comes with its fix and the exit code that ckpt-run would leave with', () => {
  it.each<[string, Partial<DoctorFacts>, string, RegExp]>([
    ['an old Node', {node: '18.0.0'}, 'system', /20\.19/],
    ['a terminal library that does not load', {pty: 'GLIBC_2.28 not found'}, 'system', /--allow-scripts/],
    ['a relay that cannot run', {relay: 'EACCES'}, 'system', /executable/],
    ['a folder that cannot be written', {folder: {...fine.folder, problem: 'EROFS'}}, 'store-unusable', /ls -ld/],
    ['a lock that two hold', {lock: {problem: 'given twice'}}, 'system', /local disk/],
    ['no agent at all', {agents: [{...claude, file: undefined}]}, 'agent-missing', /npm i claude/],
    [
      'a config that cannot be read',
      {config: [{is: 'bad-config', file: '/c.yaml', line: 3, what: 'no such key', fix: 'write on:'}]},
      'bad-config',
      /write on:/,
    ],
    ['a LATEST that cannot be read', {index: {is: 'store-unusable', path: '/p', what: 'EIO'}}, 'store-unusable', /^$/],
  ])('%s', (_name, facts, is, fix) => {
    const [found, ...more] = off(facts);
    expect(more).toEqual([]);
    expect(found).toMatchObject({is: 'bad', failure: {is}, fix: expect.stringMatching(fix)});
  });
});

describe('what works but should be known', () => {
  it.each<[string, Partial<DoctorFacts>, RegExp, RegExp]>([
    ['one agent of two is missing', {agents: [claude, {...codex, file: undefined}]}, /not on PATH/, /npm i codex/],
    [
      'a newer version',
      {agents: [{...claude, version: '2.2.0'}]},
      /2\.2\.0 is newer than the tested versions/,
      /hooks or logs/,
    ],
    ['an older version', {agents: [{...claude, version: '2.1.0'}]}, /2\.1\.0 is not among the tested/, /hooks or logs/],
    ['no version told', {agents: [{...claude, version: undefined}]}, /tells no version/, /2\.1\.197/],
    ['little room', {folder: {...fine.folder, freeBytes: 5e6}}, /only 5 MB are free/, /make room/],
    ['a slower lock', {lock: 'link'}, /no kernel lock/, /local disk/],
    [
      'a folder outside the project',
      {sandbox: {insideProject: false, insideGit: false, within: false}},
      /outside the project/,
      /--add-dir/,
    ],
    [
      'a folder inside .git',
      {sandbox: {insideProject: true, insideGit: true, within: false}},
      /inside \.git/,
      /--add-dir/,
    ],
    ['no git', {git: {...fine.git, version: undefined}}, /there is no git/, /install git/],
    ['no repository', {git: {...fine.git, repository: false}}, /in no repository/, /git init/],
    [
      'a folder that git would show',
      {git: {...fine.git, ignored: false, exclude: {line: "/it's/", file: '/p/.git/info/exclude'}}},
      /show up in git status/,
      /^echo '\/it'\\''s\/' >> '\/p\/\.git\/info\/exclude'$/,
    ],
    [
      'a lost run',
      {runs: {lost: [{run: 'r-1', track: 'main'}], broken: []}},
      /r-1 \(track main\)/,
      /--continue-run r-1/,
    ],
    ['a broken run.json', {runs: {lost: [], broken: ['r-2']}}, /run\.json of r-2/, /runs\/r-2/],
    [
      'leftovers',
      {leftovers: [{pid: 7, command: 'sleep 9', run: 'r-1'}]},
      /1 process of dead runs: 7 \(sleep 9, of r-1\)/,
      /kill 7$/,
    ],
    ['strays', {strays: ['/p/.a.tmp']}, /1 half-written file/, /rm \/p\/\.a\.tmp/],
    ['a stale lock', {staleLock: '/p/LATEST.lock.held'}, /left by a dead writer/, /next writer/],
    [
      'a state folder that cannot be written',
      {registry: {path: '/s', problem: 'EACCES'}},
      /\/s cannot be written/,
      /XDG_STATE_HOME/,
    ],
  ])('%s', (_name, facts, words, fix) => {
    expect(off(facts)).toEqual([
      {is: 'note', about: expect.any(String), words: expect.stringMatching(words), fix: expect.stringMatching(fix)},
    ]);
  });
});

it('an agent that was asked for by name must be there, whatever else is', () => {
  expect(off({agents: [{...codex, named: true, file: undefined}, claude]})).toMatchObject([
    {is: 'bad', about: 'codex'},
  ]);
});

it('a folder that somebody versions, and one seen from inside a sandbox, are in order', () => {
  expect(off({git: {...fine.git, ignored: false, tracked: true}})).toEqual([]);
  expect(off({sandbox: {insideProject: false, insideGit: false, within: true}})).toEqual([]);
  expect(off({lock: 'untried', folder: {...fine.folder, exists: false}})).toEqual([]);
});

it('the text puts the fix below, counts both kinds, and lets no control character through', () => {
  const text = findingsText(off({lock: {problem: 'x\u001b[2Jy'}, strays: ['/p/.a.tmp']}));
  expect(text).toMatch(/✗ lock {4}two writers .*: xy\n {10}→ use a folder/);
  expect(text).toMatch(/1 to mend, 1 to know\.\n$/);
});

it.each([
  ['20.19.0', '20.9.9', 1],
  ['2.1.326', '2.1.326', 0],
  ['0.169.0', '0.170.0', -1],
  ['1.0.0-beta.1', '1.0.0', -1],
  ['1.0.0', '1.0.0-beta.1', 1],
  ['1.0.0-a', '1.0.0-b', -1],
  ['v1.2.3', '1.2.3', 0],
])('%s against %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});

it.each([
  ['2.1.326 (Claude Code)\n', '2.1.326'],
  ['codex-cli 0.169.0\n', '0.169.0'],
  ['git version 2.39.5\n', '2.39.5'],
  ['1.2.0-beta.15', '1.2.0-beta.15'],
  ['no version', undefined],
])('of %j the version is %s', (text, version) => {
  expect(versionIn(text)).toBe(version);
});
