import { getBasePath, removeBasePath, toPublicUrl } from './publicAddress'

it('takes the base path from the public address', () => {
  expect(getBasePath(undefined)).toBe('')
  expect(getBasePath('https://iot.example')).toBe('')
  expect(getBasePath('https://host.example/iot/')).toBe('/iot')
  expect(getBasePath('https://host.example/a/iot')).toBe('/a/iot')
})

it('removes the base path from requests that have it', () => {
  const paths = ['/iot', '/iot/', '/iot?a=1', '/iot/v1/live?a=1', '/v1/live', '/iotx', '/']
  expect(paths.map((path) => removeBasePath(path, '/iot'))).toEqual([
    ...['/', '/', '/?a=1', '/v1/live?a=1'],
    ...['/v1/live', '/iotx', '/'],
  ])
})

it('links to pages below the base path', () => {
  expect(toPublicUrl('https://host.example/iot/', '/system/alarm?id=1')).toBe(
    'https://host.example/iot/system/alarm?id=1',
  )
  expect(toPublicUrl('https://iot.example', '/')).toBe('https://iot.example/')
})
