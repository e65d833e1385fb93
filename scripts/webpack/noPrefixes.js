/** Takes the place of the prefixes of `stylis`, which antd asks for only when it is told to; see `host.ts`. */
export function prefix() {
  throw new Error('Styles are written without prefixes here')
}
