/** Version of the host interface; the release record of a remote names the range it was built for. */
export const SHELL_API = '3.0.0'
