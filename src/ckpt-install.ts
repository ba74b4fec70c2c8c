// The real world of install, uninstall and hook; loaded only for them.

import type {InstallWorld} from './install/ports.ts';
import {readConversation} from './io/session-logs/conversation.ts';
import {openInstall} from './io/setup/install-files.ts';
import {openPurge} from './io/setup/purge-files.ts';

type Env = Record<string, string | undefined>;

export const openInstallWorld = (env: Env, err: (text: string) => void): InstallWorld => ({
  files: openInstall({env, notices: (line) => err(`ckpt: ${line}\n`)}),
  node: process.execPath,
  conversation: readConversation,
  purge: (place) => openPurge({...place, env}),
  ask: async (question) => {
    if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
    return (await import('./io/terminal/ask.ts')).askYesNo(question);
  },
});
