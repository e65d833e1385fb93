/**
 * Derives the code of an icon from a file name of letters and digits. Other names give no code, because their remaining
 * letters would soon collide.
 */
export const codeOfFile = (name: string) =>
  /^[0-9A-Za-z_-]+$/.test(name)
    ? name
    : `icon-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`
