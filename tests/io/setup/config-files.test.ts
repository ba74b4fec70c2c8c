import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {configPlaces, loadConfig} from '../../../src/io/setup/config-files.ts';
import {tempFolder} from '../checkpoint-files-rig.ts';

const rig = ({repository, person}: {repository?: string; person?: string} = {}) => {
  const [root, home] = [tempFolder(), tempFolder()];
  mkdirSync(join(home, '.config', 'ckpt-run'), {recursive: true});
  if (repository !== undefined) writeFileSync(join(root, 'ckpt.yaml'), repository);
  if (person !== undefined) writeFileSync(join(home, '.config', 'ckpt-run', 'config.yaml'), person);
  return {root, home, load: (env = {HOME: home}) => loadConfig({root}, env)};
};

describe('the config', () => {
  it('is the defaults where there is no file, and no home either', async () => {
    const {load} = rig();
    expect(await load()).toMatchObject({ok: true, value: {intervalMinutes: 30}});
    expect(await load({HOME: ''})).toMatchObject({ok: true, value: {intervalMinutes: 30}});
  });

  it('is read from both files, the repository’s over the person’s', async () => {
    const {load} = rig({repository: 'maxCheckpoints: 9', person: 'maxCheckpoints: 8\nintervalMinutes: 5'});
    expect(await load()).toMatchObject({ok: true, value: {maxCheckpoints: 9, intervalMinutes: 5}});
  });

  it('of the person is where XDG says', () => {
    const places = (env: Record<string, string>) => configPlaces({root: '/r'}, env).person;
    expect(places({HOME: '/h'})).toBe('/h/.config/ckpt-run/config.yaml');
    expect(places({HOME: '/h', XDG_CONFIG_HOME: '/x'})).toBe('/x/ckpt-run/config.yaml');
    expect(places({HOME: '/h', XDG_CONFIG_HOME: 'relative'})).toBe('/h/.config/ckpt-run/config.yaml');
    expect(places({})).toBeUndefined();
  });

  it('with a mistake names file and line', async () => {
    const {root, load} = rig({repository: '\nintervalMinutes: x'});
    const failure = {is: 'bad-config', file: join(root, 'ckpt.yaml'), line: 2};
    expect(await load()).toMatchObject({ok: false, failure});
  });

  it('of a clone is not followed out of it, and never waited for', async () => {
    const linked = rig();
    symlinkSync('/etc/passwd', join(linked.root, 'ckpt.yaml'));
    expect(await linked.load()).toMatchObject({ok: false, failure: {what: expect.stringContaining('leads out')}});
    const piped = rig();
    execFileSync('mkfifo', [join(piped.root, 'ckpt.yaml')]);
    expect(await piped.load()).toMatchObject({ok: false, failure: {what: 'it is no file'}});
    const huge = rig({repository: `# ${'x'.repeat(300_000)}`});
    expect(await huge.load()).toMatchObject({ok: false, failure: {what: expect.stringContaining('bytes')}});
  });

  it('of a clone may be a link inside it', async () => {
    const {root, load} = rig();
    mkdirSync(join(root, 'config'));
    writeFileSync(join(root, 'config', 'c.yaml'), 'intervalMinutes: 4');
    symlinkSync('config/c.yaml', join(root, 'ckpt.yaml'));
    expect(await load()).toMatchObject({ok: true, value: {intervalMinutes: 4}});
  });
});
