// The jobs of the corpus. Each plants facts that a baton must carry: goal, corrections, decisions, dead ends, a failing
// test, an open call, tasks. The words are those of people and agents, not those of our patterns.

import type {Job} from './job.ts';
import {endJobs} from './jobs/ends.ts';
import {personJobs} from './jobs/person.ts';
import {planJobs} from './jobs/plans.ts';
import {testJobs} from './jobs/tests.ts';

export const jobs: Job[] = [...testJobs, ...planJobs, ...personJobs, ...endJobs];
