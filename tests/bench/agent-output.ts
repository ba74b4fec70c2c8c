/**
 * Output like an agent's: redrawn panels, colours, spinners, diffs; about one escape sequence in 25 bytes. The same
 * bytes every time.
 */
export const agentOutput = (size: number): Buffer => {
  const frames = Array.from({length: 200}, (_, i) => frame(i)).join('');
  const piece = Buffer.from(frames);
  const whole = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; at += piece.length) piece.copy(whole, at);
  // What ends in the middle of a sequence would swallow the words that follow.
  return Buffer.concat([whole, Buffer.from('\x18\x1b[0m\r\n')]);
};

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

const frame = (i: number): string => {
  const lines = Array.from({length: 12}, (_, row) => {
    const n = (i * 13 + row * 7) % 1000;
    const colour = row % 3 === 0 ? '38;5;174' : row % 3 === 1 ? '38;2;120;200;80' : '2';
    return `\x1b[2K\x1b[${colour}m${String(n).padStart(4)} ${row % 2 ? '+' : '-'} const value${n} = compute(${n});\x1b[39m\x1b[22m // line ${row} of a diff\r\n`;
  });
  return `\x1b[?2026h\x1b[12A\x1b[1G${lines.join('')}\x1b[38;5;246m${spinner[i % 10]} Working… (${i}s · esc to interrupt)\x1b[39m\x1b[K\r\n\x1b[?2026l`;
};
