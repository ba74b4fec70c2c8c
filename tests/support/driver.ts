import {mkdtemp, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A built program of tests/support, in a folder of its own. */
export interface Driver {
  path: string;
  /** The folder: tests may put their files here too. */
  folder: string;
  remove(): Promise<void>;
}

export const buildDriver = async (name: string): Promise<Driver> => {
  const folder = await mkdtemp(join(tmpdir(), 'ckpt-run-driver-'));
  // The native packages are found from here as from the project.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(root, 'tests/support', `${name}.ts`)],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['node-pty'],
    logLevel: 'warning',
    banner: {js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"},
  });
  return {path, folder, remove: () => rm(folder, {recursive: true, force: true})};
};
