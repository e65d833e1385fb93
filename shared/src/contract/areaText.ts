/** Titles of the host and of the built-in remotes; any other remote brings its own title. */
export const areaText = {
  host: '控制台',
  deviceAccess: '设备接入',
  system: '系统管理',
  enterprise: '企业管理',
}

/** Built-in remotes; a site that lacks one shows it as 尚未部署. */
export const builtinRemotes = ['deviceAccess', 'system', 'enterprise'] as const

/** Returns the title of a remote: from its published release, else from the console, else its name. */
export const areaTitle = (name: string, deployed?: { title?: string } | null) =>
  deployed?.title ?? (areaText as Record<string, string>)[name] ?? name
