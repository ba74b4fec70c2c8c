// What a program says when it is asked one short question: `git --version`, `claude --version`.

import {execFile} from 'node:child_process';
import type {Answer, Question} from '../../ports.ts';

export const askProgram = ({file, args, cwd, env, input, until, timeoutMs = 15_000}: Question): Promise<Answer> =>
  new Promise((resolve) => {
    const options = {...(cwd === undefined ? {} : {cwd}), ...(env === undefined ? {} : {env}), timeout: timeoutMs};
    const child = execFile(file, args, options, (error, stdout) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
      resolve({code, stdout});
    });
    const {stdin, stdout} = child;
    stdin?.on('error', () => undefined);
    // A program that reads its stdin must not wait for ours.
    if (until === undefined) stdin?.end(input);
    else {
      let told = '';
      stdin?.write(input ?? '');
      stdout?.on('data', (chunk: unknown) => {
        told += String(chunk);
        if (until.test(told)) stdin?.end();
      });
    }
  });
