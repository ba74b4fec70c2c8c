// File names as the log has them → as the next leg needs them: relative to the agent's folder, so that they are short and
// hold in a fork's worktree too.

/** `name` as written in `cwd`, told relative to `root` when it is inside. */
export const relativeTo = (root: string | undefined, cwd: string | undefined, name: string): string => {
  const base = cwd ?? root;
  if (!name.startsWith('/') && (base === undefined || name.startsWith('~'))) return normal(name);
  const whole = name.startsWith('/') ? normal(name) : normal(`${base}/${name}`);
  if (root === undefined || root === '/') return whole;
  return whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole;
};

/** `a/./b/../c` is `a/c`. */
const normal = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '.' || (part === '' && parts.length > 0)) continue;
    const last = parts.at(-1);
    if (part === '..' && last !== undefined && last !== '..' && last !== '') parts.pop();
    else parts.push(part);
  }
  return parts.join('/') || '.';
};

/** `file:///project/a%20b` is `/project/a b`. */
export const pathOfUrl = (url: string): string => {
  if (!url.startsWith('file://')) return url;
  try {
    return decodeURIComponent(url.slice('file://'.length));
  } catch {
    return url.slice('file://'.length);
  }
};
