import type { BaseConfig } from '@iot/shared/contract/platform/baseConfig.schema'
import { lightenForDarkTheme } from '@iot/shared/contract/colour'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/**
 * Writes the branding into the page, so that its first paint and the first render of React agree: the title, the icon,
 * the colour, and the whole public configuration as `<meta name="base-config">`. A meta element holds data that no
 * script policy has to allow.
 */
export function writeBrand(
  html: string,
  config: BaseConfig,
  { nonce, basePath = '' }: { nonce: string; basePath?: string },
) {
  const { name, favicon, themeColor } = config
  const json = escapeHtml(JSON.stringify(config))
  // The colour is checked again, because it becomes part of a style sheet.
  const style = /^#[0-9a-f]{6}$/.test(themeColor)
    ? `<style nonce="${nonce}">html{--brand:${themeColor}}html.iot-dark{--brand:${lightenForDarkTheme(themeColor)}}</style>`
    : ''
  return html
    .replace(
      /<title>[^<]*<\/title>/,
      () => `<title>${escapeHtml(name)}</title><meta name="base-config" content="${json}">${style}`,
    )
    .replace(/<link rel="icon"[^>]*>/, (link) =>
      favicon ? `<link rel="icon" href="${escapeHtml(basePath + favicon)}">` : link,
    )
}
