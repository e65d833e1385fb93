/** Replaces the vendor prefixes of `stylis`, which antd uses only on request; see `host.ts`. */
export function prefix() {
  throw new Error('Styles are written without prefixes here')
}
