import type { BaseConfig } from '@iot/shared/contract/platform/baseConfig.schema'
import { writeBrand } from './writeBrand'

const html = '<head><title>物联云平台</title><link rel="icon" href="data:," /></head>'
const config = {
  name: '华南园区',
  slogon: '安全',
  favicon: '',
  themeColor: '#00695c',
} as BaseConfig

test('writes title, colour and configuration into the page', () => {
  const page = writeBrand(html, config, { nonce: 'nonce-1' })
  expect(page).toContain('<title>华南园区</title>')
  expect(page).toContain('<style nonce="nonce-1">html{--brand:#00695c}')
  const [, json = ''] = /<meta name="base-config" content="([^"]*)">/.exec(page)!
  expect(JSON.parse(json.replaceAll('&quot;', '"'))).toEqual(config)
})

test.each([
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  '$& $` $1 __NONCE__',
])('keeps a stored text harmless that the form would refuse: %s', (text) => {
  const page = writeBrand(
    html,
    { ...config, name: text, slogon: text, favicon: text },
    { nonce: 'n' },
  )
  const tags = [...page.matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name)
  expect(tags).toEqual(['head', 'title', 'title', 'meta', 'style', 'style', 'link', 'head'])
  expect(page).not.toContain(text)
})

test('writes no style for a colour that is none', () => {
  expect(writeBrand(html, { ...config, themeColor: 'red}' }, { nonce: 'n' })).not.toContain(
    '<style',
  )
  expect(writeBrand(html, { ...config, themeColor: '' }, { nonce: 'n' })).not.toContain('<style')
})
