/**
 * Uses a file name of letters and digits as the code of an icon. Other names get a random code, because their remaining
 * letters would soon collide.
 */
export const createIconCode = (name: string) =>
  /^[0-9A-Za-z_-]+$/.test(name)
    ? name
    : `icon-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`
