import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { getFieldTitle } from './fieldTitle'

type Exports = Record<string, unknown>
const load = (path: string) => jest.requireActual<Exports>(path)

/** `brandTitles` belong to the schema `Brand`. */
const getSchemaName = (titlesName: string) =>
  titlesName === 'incidentTitles'
    ? 'AlarmIncident'
    : titlesName.replace(/Titles$/, '').replace(/^\w/, (letter) => letter.toUpperCase())

const resources = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.schema.ts'))
  .map((file) => file.replace('.schema.ts', ''))
const schemaFiles = new Set(resources)
const titlesBySchema = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && schemaFiles.has(file.replace('.ts', '')))
  .flatMap((file) =>
    Object.entries(load(join(__dirname, file)))
      .filter(([name]) => name.endsWith('Titles') && name !== 'fieldTitles')
      .map(([name, titles]) => ({
        name,
        titles: titles as Record<string, string>,
        schema: load(join(__dirname, file.replace('.ts', '.schema.ts')))[
          getSchemaName(name)
        ] as z.ZodObject,
      })),
  )

test('finds the titles of lists', () => {
  expect(titlesBySchema.length).toBeGreaterThan(20)
})

test.each(titlesBySchema)('$name are those of the schema', ({ titles, schema }) => {
  const schemaTitles = Object.keys(titles).map((field) => [field, getFieldTitle(schema, field)])
  expect(titles).toEqual(Object.fromEntries(schemaTitles))
})
