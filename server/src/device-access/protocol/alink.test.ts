import { encodeReply, decode, Reply, Request } from './alink'

const echoId = (text: string) => encodeReply(decode(Request, Buffer.from(text))!, 200)

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
  ])('%s is echoed exactly as it was sent', (rawId, echoed) => {
    const text = echoId(
      `{"params":{"id":3,"x":[{"id":4}],"t":"\\"id\\":9"}, "id" : ${rawId} ,"method":"m"}`,
    )
    expect(text).toContain(`{"id":${echoed},"code":200`)
    expect(JSON.parse(text)).toMatchObject({ code: 200, method: 'm', version: '1.0' })
  })
  it('does not become a number because of the payload', () =>
    expect(echoId('{"id":"}{","hasNumericId":true}')).toContain('{"id":"}{",'))
  it.each(['{"id":null}', '{"id":""}', '{"id":true}', '{}', '[]', '1', '{"id":1'])(
    'of %s is refused',
    (text) => expect(decode(Request, Buffer.from(text))).toBeUndefined(),
  )
  it('of a reply is compared by its digits', () =>
    expect(decode(Reply, Buffer.from('{"id":9007199254740993,"code":200}'))).toEqual({
      id: '9007199254740993',
      code: 200,
    }))
})
