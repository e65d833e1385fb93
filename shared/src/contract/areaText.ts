/** What the parts of the console are called that are built with it. Another remote brings its own words. */
export const areaText = {
  host: '控制台',
  deviceAccess: '设备接入',
  system: '系统管理',
  enterprise: '企业管理',
}

/** Built with the console; missing in a site they are 尚未部署. */
export const builtinRemotes = ['deviceAccess', 'system', 'enterprise'] as const

/** What an area is called: by its own record where it was published, else by the console, at last by its name. */
export const areaTitle = (name: string, deployed?: { title?: string } | null) =>
  deployed?.title ?? (areaText as Record<string, string>)[name] ?? name
