/** A name of letters and digits is the code; what is left of another is soon that of the next file, too. */
export const codeOfFile = (name: string) =>
  /^[0-9A-Za-z_-]+$/.test(name)
    ? name
    : `icon-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`
