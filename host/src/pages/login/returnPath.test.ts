import { getLoginPath, getReturnPath } from './returnPath'

it('returns to the page that required the sign-in, with query and hash', () => {
  const login = getLoginPath({ pathname: '/enterprise/user', search: '?pageNo=2', hash: '#x' })
  expect(getReturnPath(new URL(login, location.origin).search)).toBe('/enterprise/user?pageNo=2#x')
})

it.each([
  '',
  '?from=',
  '?from=https://evil.example',
  '?from=//evil.example',
  '?from=/%5Cevil.example',
  '?from=/%09/evil.example',
  '?from=javascript:alert(1)',
  '?from=/login',
  '?from=home',
])('returns home for %p', (search) => expect(getReturnPath(search)).toBe('/home'))

it('keeps the first return path when the login screen itself is refused', () =>
  expect(getLoginPath({ pathname: '/login', search: '?from=%2Fhome', hash: '' })).toBe(
    '/login?from=%2Fhome',
  ))
