// Edits that several jobs make.

export const fixParser = {
  edit: 'src/parser.js',
  from: 'exports.parse = (text) => text.split(",");',
  to: 'exports.parse = (text) => text.split(",").map((field) => field.trim());',
};

/** A whole line: Codex patches by lines. */
export const total = (value: string): string => `exports.total = (rows) => ${value};`;
