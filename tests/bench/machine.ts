import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {cpus, release, totalmem} from 'node:os';

export interface Machine {
  node: string;
  kernel: string;
  cpu: string;
  cores: number;
  memoryGb: number;
}

export const machineFacts = (): Machine => ({
  node: process.version,
  kernel: release(),
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
});

/** All processors together, in hundredths of a second as Linux counts them. */
export const busySeconds = (): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0] = (
    /^cpu +(.*)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  )
    .split(' ')
    .map(Number);
  return (user + nice + system + irq + soft) / 100;
};

/** How many cores others keep busy while we do nothing: figures of a busy machine are worth less. */
export const othersBusy = async (): Promise<number> => {
  const before = busySeconds();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return round1(busySeconds() - before);
};

/** What we are measured against comes from Debian; without it there is no comparison, and that is said. */
export const needPrograms = (wanted: Record<string, string>): void => {
  const missing = (): string[] =>
    Object.entries(wanted).flatMap(([program, debian]) =>
      spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? [] : [debian],
    );
  if (missing().length > 0)
    spawnSync('apt-get', ['install', '-y', '-qq', ...missing()], {stdio: ['ignore', 'ignore', 'inherit']});
  if (missing().length > 0) throw new Error(`The bench needs these Debian packages: ${missing().join(' ')}`);
};

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

export const round1 = (value: number): number => Math.round(value * 10) / 10;
export const round2 = (value: number): number => Math.round(value * 100) / 100;
