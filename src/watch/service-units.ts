// The files with which systemd (per user) and launchd keep a run going over crashes and reboots.

import {exitCodes} from '../core/failure.ts';

export interface ServiceSpec {
  name: string;
  /** Program and arguments; absolute paths in front. */
  command: string[];
  cwd: string;
  /** The person's at the time: a service has hardly any PATH of its own, and the agent must be found. */
  path: string;
  /** Where launchd writes what the program says; systemd has its journal. */
  log: string;
  /** Read if it is there: keys that an agent needs stand there and not in the unit. */
  envFile: string;
}

/** Codes after which trying again changes nothing: misuse, a parked run, a run that somebody ended. */
export const finalCodes = [
  ...new Set([
    exitCodes['bad-usage'],
    exitCodes['baton-refused'],
    exitCodes['not-found'],
    exitCodes['unsupported-platform'],
    exitCodes['store-unusable'],
    exitCodes.parked,
    exitCodes['bad-config'],
    exitCodes['agent-missing'],
    128 + 2,
    128 + 15,
  ]),
].sort((a, b) => a - b);

export const systemdUnit = ({name, command, cwd, path, envFile}: ServiceSpec): string => `\
# Made by: ckpt service install. Remove it with: ckpt service uninstall ${name}
[Unit]
Description=ckpt-run ${specifiers(name)}
# Twenty tries in ten minutes; systemd's own five in ten seconds would be over in one.
StartLimitIntervalSec=600
StartLimitBurst=20

[Service]
Type=notify
# ckpt-run tells that it is up and alive through systemd-notify, a child of its own.
NotifyAccess=all
WatchdogSec=120
WorkingDirectory=${specifiers(cwd)}
Environment=${systemdWord(`PATH=${path}`)}
EnvironmentFile=-${specifiers(envFile)}
ExecStart=${command.map(execWord).join(' ')}
Restart=on-failure
RestartSec=10
RestartPreventExitStatus=${finalCodes.join(' ')}
SuccessExitStatus=${exitCodes.parked} ${128 + 2} ${128 + 15}
# First ckpt-run alone: it ends its agent and saves the last checkpoint.
KillMode=mixed
TimeoutStopSec=90
# A build that eats all memory must not take the run with it.
OOMPolicy=continue

[Install]
WantedBy=default.target
`;

/** In double quotes systemd reads C escapes; `%` is a specifier everywhere. */
const systemdWord = (word: string): string => `"${specifiers(escaped(word))}"`;

/** In commands `$` is a variable too. */
const execWord = (word: string): string => systemdWord(word).replaceAll('$', '$$$$');

const specifiers = (text: string): string => text.replaceAll('%', '%%');

const escaped = (word: string): string =>
  word
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');

export const launchdLabel = (name: string): string => `run.ckpt.${name}`;

export const launchdPlist = ({name, command, cwd, path, log}: ServiceSpec): string => `\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Made by: ckpt service install. Remove it with: ckpt service uninstall ${xml(name).replaceAll('--', '- -')} -->
<plist version="1.0">
<dict>
  <key>Label</key><string>${xml(launchdLabel(name))}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${xml(word)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key><string>${xml(cwd)}</string>
  <key>EnvironmentVariables</key>
  <dict><key>PATH</key><string>${xml(path)}</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>10</integer>
  <key>ExitTimeOut</key><integer>90</integer>
  <key>StandardOutPath</key><string>${xml(log)}</string>
  <key>StandardErrorPath</key><string>${xml(log)}</string>
</dict>
</plist>
`;

const xml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // XML 1.0 has no other control characters than tab and line feeds.
    .replace(/\p{Cc}/gu, (char) => ('\t\n'.includes(char) ? char : ''));

/** A name that is safe as a file, a unit and a label. */
export const serviceName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80) || 'run';
