// A full-screen program that shows what a terminal can do, in whatever size it has. Ends at `q`; draws anew on a resize.

const {stdin, stdout} = process;
const esc = (code: string): string => `\x1b[${code}`;

const attributes = ['0', '1', '2', '3', '4', '5', '7', '8', '9', '53', '1;3;4', '21'];
const samples = ['plain', 'naïve', '日本語', '⠋⠙⠹', '🎉🎊', '─┼╳█', 'e\u0301', '\x1b(0lqkx\x1b(B'];

const row = (y: number, width: number): string => {
  let line = '';
  for (let x = 0; x < width - 8; x += 8) {
    const n = (y * 7 + x) % 256;
    const colour = [
      `38;5;${n}`,
      `48;5;${n}`,
      `38;2;${n};${255 - n};${(n * 3) % 256}`,
      `${30 + (n % 8)};${100 + (n % 8)}`,
    ];
    const sample = samples[(x / 8 + y) % samples.length];
    line += `${esc(`${attributes[(x / 8 + y) % attributes.length]}m`)}${esc(`${colour[(x + y) % 4]}m`)}${sample}${esc('0m')}`;
    line += esc(`${x + 9}G`);
  }
  return line;
};

const draw = (): void => {
  const {columns, rows} = stdout;
  stdout.write(esc('2J'));
  for (let y = 0; y < rows; y += 1) stdout.write(esc(`${y + 1};1H`) + row(y, columns));
  // In raw mode a bare line feed goes straight down: a wrapper that translates output shows it at the margin.
  stdout.write(`${esc('2;20H')}a\nb\nc${esc(`${rows};1H`)}${esc('7m')} ${columns}x${rows} ready ${esc('0m')}`);
};

stdin.setRawMode(true);
stdin.on('data', (keys) => {
  if (!keys.includes('q')) return;
  stdout.write(esc('?25h') + esc('?1049l'));
  process.exit(0);
});
stdout.on('resize', draw);
stdout.write(esc('?1049h') + esc('?25l') + esc('?1000h') + esc('?1006h') + esc('?2004h'));
draw();
stdout.write(esc('?1000l') + esc('?1006l') + esc('?2004l'));
