// `ckpt service install|uninstall|print`: a run that systemd or launchd keeps going over crashes and reboots.

import {basename} from 'node:path';
import {type Failure, fail, ok, type Result} from '../../../core/failure.ts';
import type {ServicePort, WatchPort} from '../../../watch/ports.ts';
import {type LastRun, serviceStep} from '../../../watch/service-step.ts';
import {finalCodes, launchdLabel, launchdPlist, serviceName, systemdUnit} from '../../../watch/service-units.ts';
import {type Common, done, type Ground, type Outcome, type World} from '../world.ts';
import {chooseRun} from './choose-run.ts';

export interface ServiceFlags extends Common {
  name?: string;
  run?: string;
}

interface Made {
  name: string;
  text: string;
  /** A run that is going on now: its service begins with the next boot. */
  alive: boolean;
}

export const print = async (world: World, words: string[], flags: ServiceFlags): Outcome => {
  const made = await make(world, words, flags);
  if (made.ok) world.out(made.value.text);
  return made.ok ? done : made;
};

export const install = async (world: World, words: string[], flags: ServiceFlags): Outcome => {
  const made = await make(world, words, flags);
  if (!made.ok) return made;
  const {service} = await world.watch();
  const {name, text, alive} = made.value;
  try {
    service.write(name, text);
  } catch (error) {
    return fail(refused(`write ${service.file(name)}`, error));
  }
  world.out(`${service.file(name)} was written\n`);
  const [calls, hint] = startCalls(service, name, alive);
  for (const call of calls) {
    if (await service.call(call)) continue;
    const fix = `the file is there; do it yourself: ${calls.map((words) => words.join(' ')).join(' && ')}`;
    return fail({is: 'not-found', what: `"${call.join(' ')}" did not work`, fix});
  }
  world.out(`${alive ? 'it goes on with the run after the next boot' : 'it is running'}\n${hint}`);
  return done;
};

export const uninstall = async (world: World, name: string): Outcome => {
  const {service} = await world.watch();
  const safe = serviceName(name);
  if (!service.exists(safe)) {
    return fail({
      is: 'not-found',
      what: `no service called ${safe} (${service.file(safe)})`,
      fix: 'look into that folder',
    });
  }
  const stop =
    service.kind === 'systemd'
      ? ['systemctl', '--user', 'disable', '--now', unit(safe)]
      : ['launchctl', 'unload', '-w', service.file(safe)];
  const stopped = await service.call(stop);
  try {
    service.remove(safe);
  } catch (error) {
    return fail(refused(`remove ${service.file(safe)}`, error));
  }
  if (service.kind === 'systemd') await service.call(['systemctl', '--user', 'daemon-reload']);
  world.out(`${service.file(safe)} was removed${stopped ? '' : ` ("${stop.join(' ')}" did not work)`}\n`);
  return done;
};

export interface StartedFlags extends Common {
  track: string;
  since: string;
  launchd?: boolean;
}

/** What the unit itself calls. */
export const start = async (world: World, words: string[], flags: StartedFlags): Outcome => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const watch = await world.watch();
  // Before anything else: a unit that ends without this counts as failed, also when there was nothing to do.
  watch.service.ready();
  const step = serviceStep(await lastRun(watch, opened.value, flags));
  switch (step.do) {
    case 'nothing':
      world.err(`ckpt service: ${step.why}\n`);
      return ok(0);
    case 'begin':
      if (words.length === 0) return fail(nothingToBegin(flags.track));
      return ok(final(await watch.service.run(words), flags));
    case 'go-on':
      world.err(`ckpt service: going on with run ${step.run}\n`);
      return ok(final(await watch.service.run(['--continue-run', step.run]), flags));
  }
};

/** launchd would start again after any code but 0, also where that changes nothing. */
const final = (code: number, {launchd}: StartedFlags): number => (launchd && finalCodes.includes(code) ? 0 : code);

const lastRun = async (watch: WatchPort, {dir}: Ground, {track, since}: StartedFlags): Promise<LastRun | undefined> => {
  const shelf = watch.shelf(dir);
  for (const run of shelf.ids()) {
    const record = shelf.record(run);
    if (record === undefined || 'broken' in record || record.track !== track) continue;
    if ((record.startedAt ?? 0) < Date.parse(since)) return undefined;
    return {record, alive: await watch.isAlive(record), stopped: shelf.wasStopped(run)};
  }
  return undefined;
};

const make = async (world: World, words: string[], flags: ServiceFlags): Promise<Result<Made>> => {
  const opened = await world.open(flags);
  if (!opened.ok) return opened;
  const {root, dir} = opened.value;
  const watch = await world.watch();
  const subject =
    words.length > 0 ? ok(newSubject(words, flags, watch.now())) : await oldSubject(world, watch, {dir, flags});
  if (!subject.ok) return subject;
  const {track, since, words: start, alive} = subject.value;
  const {service} = watch;
  const name = serviceName(flags.name ?? `${basename(root)}-${track}`);
  const command = [
    ...[service.node, service.ckpt, '--repo-root', root, '--checkpoint-dir', dir, 'service', 'start'],
    ...['--track', track, '--since', new Date(since).toISOString()],
    ...(service.kind === 'launchd' ? ['--launchd'] : []),
    ...(start.length === 0 ? [] : ['--', ...start]),
  ];
  const spec = {name, command, cwd: root, path: service.path, log: service.log(name), envFile: service.envFile};
  return ok({name, alive, text: service.kind === 'systemd' ? systemdUnit(spec) : launchdPlist(spec)});
};

interface Subject {
  track: string;
  since: number;
  words: string[];
  alive: boolean;
}

/** Words for ckpt-run: the service needs a track of its own, by which it finds its runs again. */
const newSubject = (words: string[], {name}: ServiceFlags, now: number): Subject => {
  const at = words.indexOf('--track');
  const given = at === -1 ? words.find((word) => word.startsWith('--track='))?.slice('--track='.length) : words[at + 1];
  const track = given ?? serviceName(name ?? 'service');
  return {track, since: now, words: given === undefined ? ['--track', track, ...words] : words, alive: false};
};

/** A run that is there: the newest, or the one that was named. */
const oldSubject = async (
  world: World,
  watch: WatchPort,
  {dir, flags}: {dir: string; flags: ServiceFlags},
): Promise<Result<Subject>> => {
  const chosen = await chooseRun(watch, {dir, wanted: flags.run, own: world.env.CKPT_RUN});
  if (!chosen.ok) return chosen;
  const {record, alive} = chosen.value;
  return ok({track: record.track, since: record.startedAt ?? 0, words: [], alive});
};

const unit = (name: string): string => `ckpt-run-${name}.service`;

const startCalls = (service: ServicePort, name: string, alive: boolean): [string[][], string] =>
  service.kind === 'systemd'
    ? [
        [
          ['systemctl', '--user', 'daemon-reload'],
          ['systemctl', '--user', 'enable', ...(alive ? [] : ['--now']), unit(name)],
        ],
        'so that it runs while you are not logged in: loginctl enable-linger\n' +
          `what it says: journalctl --user -u ${unit(name)}\n`,
      ]
    : [
        // A job that is loaded starts at once: one whose run goes on leaves by itself, and comes again at the next login.
        [['launchctl', 'load', '-w', service.file(name)]],
        `its label is ${launchdLabel(name)}; what it says: ${service.log(name)}\n`,
      ];

const nothingToBegin = (track: string): Failure => ({
  is: 'not-found',
  what: `no run of track "${track}" is here to go on with`,
  fix: 'ckpt service uninstall, then install it anew',
});

const refused = (doing: string, error: unknown): Failure => {
  const {code = 'unknown', message} = error as NodeJS.ErrnoException;
  return {is: 'system', doing, code, message};
};
