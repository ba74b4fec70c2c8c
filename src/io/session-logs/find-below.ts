import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

/** The file of that name in one of the folder's own folders: session logs are filed by project. */
export const findBelow = (folder: string, name: string): string | undefined => {
  try {
    return readdirSync(folder)
      .map((inner) => join(folder, inner, name))
      .find((path) => existsSync(path));
  } catch {
    return undefined;
  }
};
