import { Id, nameField } from '@iot/shared/contract/fields.schema'
import { z } from 'zod'
import { password, sharedApp, type ErrorAnswer } from '../../testing'
import { createInputParser } from './inputParser'
import { serve } from './serve'

describe('a contract with a string or list without a length limit', () => {
  const declareInput = (input: z.ZodType) => () => createInputParser('POST /v1/lamp', input)
  it.each([
    ['a text', z.object({ name: z.string() }), '.name'],
    ['a pattern', z.object({ code: z.string().regex(/^a+$/) }), '.code'],
    ['an address', z.object({ mail: z.email() }), '.mail'],
    ['a time', z.object({ at: z.iso.datetime() }), '.at'],
    ['a list without a limit', z.object({ ids: z.array(Id) }), '.ids[]'],
    ['the texts of a list', z.object({ names: z.array(z.string()).max(3) }), '.names[]'],
    ['a key of a record', z.object({ values: z.record(z.string(), z.number()) }), '.values{}'],
    ['an optional text', z.object({ note: z.string().nullable().default('') }), '.note'],
    ['one member of a union', z.union([z.literal(''), z.url()]), ''],
    ['the result of a preprocess step', z.object({ n: z.preprocess(String, z.string()) }), '.n'],
    ['the input of a transform', z.object({ n: z.string().transform(Number) }), '.n'],
    [
      'a nested text',
      z.object({ a: z.object({ b: z.array(z.object({ c: z.string() })).max(1) }) }),
      '.a.b[].c',
    ],
    ['anything', z.object({ all: z.unknown() }), '.all（unknown）'],
  ])('is refused: %s', (_, schema, where) =>
    expect(declareInput(schema)).toThrow(`POST /v1/lamp：没有长度限制：${where}`),
  )
  it('is refused before a port is opened', async () => {
    const { app } = await sharedApp()
    const api = {
      find: { method: 'POST', path: '/v1/lamp/find', title: '找灯', permission: 'session' },
    } as const
    const schemas = { find: { input: z.object({ name: z.string() }), output: z.null() } }
    expect(() => serve(app, api, schemas, { find: () => null })).toThrow('没有长度限制：.name')
    expect(app.endpoints).not.toContainEqual(expect.objectContaining(api.find))
  })
})

describe('input validation', () => {
  const Lamp = z.object({
    name: nameField('灯名'),
    watts: z.number().max(9).meta({ title: '功率' }),
  })
  const parseLamp = createInputParser(
    'POST /v1/lamp',
    Lamp.extend({ parts: z.array(Lamp).max(2).default([]) }),
  )
  function getFieldErrors(input: unknown) {
    try {
      parseLamp(input)
    } catch (error) {
      return (error as ErrorAnswer).data
    }
    throw new Error('was taken')
  }
  const lamp = { name: '大堂', watts: 3 }
  const lampId = '018f0000-0000-7000-8000-00000000000a'
  const otherId = '018f0000-0000-7000-8000-00000000000b'

  it.each([
    [{ projectId: 2 ** 31 }, { projectId: '项目不存在或已被删除' }],
    [{ projectIds: [1, 1e12] }, { 'projectIds.1': '项目不存在或已被删除' }],
    [{ from: '2026-11-02T00:00:00+08:00', to: '2026-11-01T23:00:00Z' }, undefined],
    [
      { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' },
      { to: '结束时间不能早于开始时间' },
    ],
  ])('checks projects and periods: %j', (input, fields) => {
    const parseFilter = createInputParser(
      'POST /v1/lamp/page',
      z.object({
        projectId: z.coerce.number().int().optional(),
        projectIds: z.array(z.number().int()).max(9).optional(),
        from: z.string().max(40).optional(),
        to: z.string().max(40).optional(),
      }),
    )
    if (fields)
      expect(() => parseFilter(input)).toThrow(expect.objectContaining({ data: { fields } }))
    else expect(parseFilter(input)).toEqual(input)
  })

  it('refuses undeclared fields, also nested ones', () => {
    const fields = { colour: '没有“colour”这个字段' }
    expect(getFieldErrors({ ...lamp, colour: 1 })).toEqual({ fields })
    expect(getFieldErrors({ ...lamp, parts: [{ ...lamp, colour: 1 }] })).toEqual({
      fields: { 'parts.0.colour': fields.colour },
    })
    expect(parseLamp({ ...lamp, parts: [lamp] })).toEqual({ ...lamp, parts: [lamp] })
  })
  it('answers with a sentence about the field, never with a pattern or a type', () => {
    expect(getFieldErrors({ name: 7, watts: '7', parts: [lamp, lamp, lamp] })).toEqual({
      fields: { name: '灯名不正确', watts: '功率不正确', parts: '“parts”最多 2 项' },
    })
    expect(getFieldErrors({ watts: 10 })).toEqual({
      fields: { name: '请填写灯名', watts: '功率不能大于 9' },
    })
  })
  it.each(['a\nb', 'a\u0007b', 'gpj.\u202Eexe', 'a\u2066b'])('refuses a name like %j', (name) =>
    expect(JSON.stringify(getFieldErrors({ ...lamp, name }))).toMatch('{"fields":{'),
  )
  it('accepts emoji, and line breaks in multi-line fields', () => {
    const parseNote = createInputParser('POST /v1/note', z.object({ text: z.string().max(50) }))
    expect(parseNote({ text: '第一行\r\n\t第二行 👨‍👩‍👧' })).toMatchObject({ text: expect.any(String) })
  })
  it.each([
    ['a\u202Eb', '内容含有看不见的字符 U+202E（格式字符），请删除后重试'],
    ['大堂\u200B', '内容含有看不见的字符 U+200B（零宽空格），请删除后重试'],
    ['\uFFFD\uFFFD', '内容含有乱码（U+FFFD），请检查文字编码，应为 UTF-8'],
  ])('refuses the invisible character %j', (text, reason) => {
    const parseNote = createInputParser('POST /v1/note', z.object({ text: z.string().max(50) }))
    expect(() => parseNote({ text })).toThrow(
      expect.objectContaining({ data: { fields: { text: reason } } }),
    )
  })
  it('normalises text to one Unicode form but leaves secrets unchanged', () => {
    const decomposed = 'Cafe\u0301'
    const parseNote = createInputParser(
      'POST /v1/note',
      z.object({ text: z.string().max(50), password: z.string().max(50) }),
    )
    expect(parseNote({ text: decomposed, password: decomposed })).toEqual({
      text: 'Caf\u00E9',
      password: decomposed,
    })
  })
  it.each([
    [
      { roleIds: [lampId, otherId, lampId.toUpperCase()] },
      { roleIds: '“角色”的第 3 项与第 1 项重复' },
    ],
    [{ mails: ['a@b.cn', 'A@b.cn'] }, { mails: '“收件人”的第 2 项与第 1 项重复（A@b.cn）' }],
    [{ projectIds: [7, 8, 8] }, { projectIds: '第 3 项与第 2 项重复' }],
    [{ codes: ['a', 'a'] }, { codes: '第 2 项与第 1 项重复（a）' }],
    [
      {
        places: [
          { id: lampId, x: 1 },
          { id: lampId, x: 2 },
        ],
      },
      { places: '第 2 项与第 1 项重复' },
    ],
    [
      {
        tags: [
          { key: 'a', value: '1' },
          { key: 'a', value: '1' },
        ],
      },
      { tags: '第 2 项与第 1 项重复' },
    ],
    [
      {
        tags: [
          { key: 'a', value: '1' },
          { key: 'a', value: '2' },
        ],
      },
      undefined,
    ],
    [
      { codes: ['a', 'A'], roleIds: [lampId, otherId], projectIds: 'all', steps: [1, 1] },
      undefined,
    ],
  ])('refuses a list that names an entry twice, unless it is a sequence: %j', (input, fields) => {
    const parseLists = createInputParser(
      'POST /v1/lamp/lists',
      z
        .object({
          roleIds: z.array(Id).max(9).meta({ title: '角色' }),
          mails: z.array(z.email().max(99)).max(9).meta({ title: '收件人' }),
          projectIds: z.union([z.literal('all'), z.array(z.number().int()).max(9)]),
          codes: z.array(z.string().max(9)).max(9).default([]),
          places: z.array(z.object({ id: Id, x: z.number() })).max(9),
          tags: z.array(z.object({ key: z.string().max(9), value: z.string().max(9) })).max(9),
          steps: z.array(z.number()).max(9).meta({ isSequence: true }),
        })
        .partial(),
    )
    if (fields)
      expect(() => parseLists(input)).toThrow(expect.objectContaining({ data: { fields } }))
    else expect(parseLists(input)).toMatchObject(input)
  })
  it('answers quickly however many values are wrong', () => {
    const extraFields = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`x${i}`, 1]))
    const { fields } = getFieldErrors({ ...lamp, ...extraFields }) as { fields: object }
    expect(Object.keys(fields)).toHaveLength(50)
  })
})

// Such a text once blocked the whole platform: 1.9 MB for 20 to 35 s, 50,000 characters for 8 s.
it.each([50_000, 1_900_000])(
  'refuses a search text of %i letters before it reaches the database',
  async (length) => {
    const app = await sharedApp()
    const satoken = `Bearer ${await app.login('admin', password)}`
    for (const [path, field] of [
      ['user', 'name'],
      ['manufacturer', 'code'],
      ['action-log', 'entity'],
    ] as const) {
      const answer = await app.app.inject({
        method: 'POST',
        url: `/v1/${path}/page`,
        payload: { [field]: 'x'.repeat(length) },
        headers: { satoken },
      })
      expect(answer.json()).toMatchObject({
        code: 422,
        data: { fields: { [field]: '搜索的内容最多 64 个字' } },
      })
    }
  },
)
