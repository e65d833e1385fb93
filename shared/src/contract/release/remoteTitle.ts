/** Titles of the host and of the built-in remotes; any other remote brings its own title. */
export const remoteTitleText = {
  host: '控制台',
  deviceAccess: '设备接入',
  system: '系统管理',
  enterprise: '企业管理',
}

/** Built-in remotes; a site that lacks one shows it as 尚未部署. */
export const builtinRemotes = ['deviceAccess', 'system', 'enterprise'] as const

/** Returns the title of a remote: from its published release, else from the console, else its name. */
export const getRemoteTitle = (name: string, deployedBuild?: { title?: string } | null) =>
  deployedBuild?.title ?? (remoteTitleText as Record<string, string>)[name] ?? name
