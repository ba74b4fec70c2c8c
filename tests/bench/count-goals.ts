// What was counted: deaths, bytes, cases. It does not hang on how busy the machine was.

import {at, numberAt} from './figure-fields.ts';
import type {Goal} from './goal.ts';

export const countGoals: Goal[] = [
  {
    file: 'soak',
    what: 'deaths of every kind, handed on',
    goal: '0 steps lost or doubled, 0 false kills, 0 orphans, 0 temp files left',
    see: (figures) => {
      const [deaths, lives, lanes] = ['deaths', 'lives', 'lanes'].map((name) => numberAt(figures, name));
      const wrong = at(figures, 'wrong');
      if (deaths === undefined || !Array.isArray(wrong)) return undefined;
      const restarts = (lives ?? 0) - (lanes ?? 0);
      return {
        measured: `${deaths} deaths, ${restarts} of the supervisor: ${wrong.length} wrong`,
        met: wrong.length === 0,
      };
    },
  },
  {
    file: 'soak',
    what: 'deaths per minute',
    goal: '≥ 333 (10,000 in 30 min)',
    see: (figures) => {
      const [deaths, seconds] = [numberAt(figures, 'deaths'), numberAt(figures, 'seconds')];
      if (deaths === undefined || seconds === undefined) return undefined;
      const rate = Math.round((deaths * 60) / seconds);
      return {measured: `${rate}`, met: rate >= 333};
    },
    why: 'every death is a real start of Node, a dozen hook processes and a git snapshot on two shared cores',
  },
  ...['claude-terminal', 'claude-pipes', 'codex-terminal', 'codex-pipes'].map(
    (name): Goal => ({
      file: 'soak-real',
      what: `deaths of the real CLIs, ${name.replace('-', ' in ')}`,
      goal: '0 steps lost or doubled, 0 orphans',
      see: (figures) => {
        const [deaths, wrong] = [numberAt(figures, name, 'deaths'), at(figures, name, 'wrong')];
        if (deaths === undefined || !Array.isArray(wrong)) return undefined;
        return {measured: `${deaths} deaths: ${wrong.length} wrong`, met: wrong.length === 0};
      },
    }),
  ),
  ...['claude', 'codex'].flatMap((agent): Goal[] => [
    {
      file: 'harmless',
      what: `quotations of every marker on the screen of ${agent}: whole, at random cuts, byte by byte`,
      goal: '0 deaths, the same signals',
      see: (figures) => {
        const [megabytes, byBytes, deaths, alerts] = ['megabytes', 'byBytes', 'deaths', 'alerts'].map((name) =>
          numberAt(figures, `output-${agent}`, name),
        );
        if (megabytes === undefined) return undefined;
        return {
          measured: `${megabytes} MB, ${byBytes} MB of it byte by byte: ${deaths} deaths, ${alerts} alerts that end nothing`,
          met: deaths === 0,
        };
      },
    },
    {
      file: 'harmless',
      what: `the same in session logs of ${agent}, which grow at random cuts and byte by byte`,
      goal: '0 deaths, the same lines',
      see: (figures) => {
        const [megabytes, deaths] = ['megabytes', 'deaths'].map((name) => numberAt(figures, `log-${agent}`, name));
        const [grown, byBytes] = ['megabytes', 'byBytes'].map((name) => numberAt(figures, `tail-${agent}`, name));
        if (megabytes === undefined || grown === undefined) return undefined;
        return {
          measured: `${megabytes} MB: ${deaths} deaths; ${grown} MB grown, ${byBytes} MB byte by byte: the same`,
          met: deaths === 0,
        };
      },
    },
  ]),
  {
    file: 'fuzz',
    what: 'readers given broken bytes',
    goal: '0 throws, 0 hangs in 1,000,000',
    see: (figures) => {
      const [cases, throws] = [numberAt(figures, 'readers', 'cases'), numberAt(figures, 'readers', 'throws')];
      const [targets, worst] = [numberAt(figures, 'readers', 'targets'), numberAt(figures, 'readers', 'worstMs')];
      if (cases === undefined) return undefined;
      return {measured: `${cases} cases, ${targets} readers: ${throws} throws, longest ${worst} ms`, met: throws === 0};
    },
  },
  {
    file: 'fidelity',
    what: 'what an agent says through the whole program',
    goal: 'equal sha256',
    see: (figures) => {
      const megabytes = numberAt(figures, 'said-wrapped', 'megabytes');
      return megabytes === undefined
        ? undefined
        : {measured: `${megabytes} MB: equal`, met: at(figures, 'said-wrapped', 'equal') === true};
    },
  },
  {
    file: 'fidelity',
    what: 'what it hears: all 256 bytes, and a paste',
    goal: 'equal sha256',
    see: (figures) => {
      const bytes = numberAt(figures, 'heard', 'pasteBytes');
      return bytes === undefined
        ? undefined
        : {measured: `${Math.floor(bytes / 2 ** 20)} MB: equal`, met: at(figures, 'heard', 'equal') === true};
    },
  },
  {
    file: 'fidelity',
    what: 'the moves of vttest and recorded sessions, bare and wrapped',
    goal: 'equal sha256',
    see: (figures) => {
      const bytes = numberAt(figures, 'streams', 'bytes');
      return bytes === undefined
        ? undefined
        : {measured: `${Math.round(bytes / 1000)} kB: equal`, met: at(figures, 'streams', 'equal') === true};
    },
  },
  {
    file: 'fidelity',
    what: 'resizes in a row',
    goal: 'the last one holds',
    see: (figures) => {
      const resizes = numberAt(figures, 'resizes', 'resizes');
      return resizes === undefined
        ? undefined
        : {measured: `${resizes}: it holds`, met: at(figures, 'resizes', 'lastHeld') === true};
    },
  },
  {
    file: 'last-words',
    what: 'last words of 64 kB, the event loop free or blocked for 20 or 100 ms',
    goal: '0 lost of 3,000',
    see: (figures) => {
      const blocked = [0, 20, 100].map((ms) => `blocked-${ms}-ms`);
      const deaths = blocked.map((name) => numberAt(figures, name, 'deaths') ?? 0).reduce((sum, one) => sum + one, 0);
      const lost = blocked.map((name) => numberAt(figures, name, 'lost') ?? 1).reduce((sum, one) => sum + one, 0);
      return deaths === 0 ? undefined : {measured: `${lost} lost of ${deaths}`, met: lost === 0 && deaths >= 3000};
    },
  },
  ...['claude', 'codex'].map(
    (agent): Goal => ({
      file: 'big-log',
      what: `a session log of ${agent}, read with 40 MB of memory`,
      goal: '1 GB',
      see: (figures) => {
        const [megabytes, facts] = ['megabytes', 'factsKb'].map((name) => numberAt(figures, agent, name));
        if (megabytes === undefined) return undefined;
        return {measured: `${megabytes} MB; ${facts} kB are kept of it`, met: megabytes >= 1000};
      },
    }),
  ),
];
