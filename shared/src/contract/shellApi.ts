/** What a host offers to remotes; a remote's record says which range it was built for. */
export const SHELL_API = '2.0.0'
