export const TERMINAL_GONE = 'the terminal went away';
export const TIME_OVER = 'the time of the run is over (--max-hours)';
