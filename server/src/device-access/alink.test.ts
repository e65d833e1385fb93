import { answer, decode, Reply, Request } from './alink'

const echo = (text: string) => answer(decode(Request, Buffer.from(text))!, 200)

describe('the id of a message', () => {
  it.each([
    ['1', '1'],
    ['"1"', '"1"'],
    ['12345678901234567890', '12345678901234567890'],
    ['9007199254740993', '9007199254740993'],
    ['1.0', '1.0'],
    ['-7', '-7'],
    ['1e3', '1e3'],
    ['"a\\"id\\":5"', '"a\\"id\\":5"'],
  ])('%s is echoed exactly as it was sent', (sent, echoed) => {
    const text = echo(
      `{"params":{"id":3,"x":[{"id":4}],"t":"\\"id\\":9"}, "id" : ${sent} ,"method":"m"}`,
    )
    expect(text).toContain(`{"id":${echoed},"code":200`)
    expect(JSON.parse(text)).toMatchObject({ code: 200, method: 'm', version: '1.0' })
  })
  it('is not a number because its sender says so', () =>
    expect(echo('{"id":"}{","hasNumericId":true}')).toContain('{"id":"}{",'))
  it.each(['{"id":null}', '{"id":""}', '{"id":true}', '{}', '[]', '1', '{"id":1'])(
    '%s is no message',
    (text) => expect(decode(Request, Buffer.from(text))).toBeUndefined(),
  )
  it('of a reply is compared by its digits', () =>
    expect(decode(Reply, Buffer.from('{"id":9007199254740993,"code":200}'))).toEqual({
      id: '9007199254740993',
      code: 200,
    }))
})
