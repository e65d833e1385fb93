import { act, renderHook } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryDraftPrefix, readDraft, removeDraft, saveDraft } from '../session/drafts'
import { openTextDraft, useTextDraft } from './useDraft'

beforeEach(() => localStorage.clear())

it('keeps the text of a field until it is discarded', () => {
  const first = renderHook(() => useTextDraft('note/7'))
  act(() => first.result.current[1]('三层在施工'))
  first.unmount()
  const second = renderHook(() => useTextDraft('note/7', '旧备注'))
  expect(second.result.current[0]).toBe('三层在施工')
  second.result.current[2]()
  const third = renderHook(() => useTextDraft('note/7', '旧备注'))
  expect(third.result.current[0]).toBe('旧备注')
})

it('keeps the draft of a form with secrets in memory alone', () => {
  const name = `${memoryDraftPrefix}edgeConfig`
  saveDraft(name, 'new', { content: 'key: 1' })
  expect(readDraft(name, String)?.values).toEqual({ content: 'key: 1' })
  expect(Object.keys(localStorage)).toEqual([])
  removeDraft(name)
  expect(readDraft(name, String)).toBeUndefined()
})

it('closes the form of the field when its text is discarded', () => {
  const onClose = jest.fn()
  const { result } = renderHook(() => useTextDraft('note/8', '', onClose))
  act(() => result.current[1]('换了驱动'))
  result.current[2]()
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(openTextDraft('note/8').text).toBe('')
})

const consoleFolders = [
  'host',
  'remote-device-access',
  'remote-enterprise',
  'remote-system',
  'shared',
]
function readSources() {
  const root = join(__dirname, '../../..')
  return consoleFolders
    .flatMap((folder) =>
      readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, 'src', file),
      ),
    )
    .filter((file) => /(?<!\.test|ui\/formDialog)\.tsx$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

// The end of the session closes every form; only a draft brings its input back.
it('is named by every form of the console', () => {
  const files = readSources().filter(({ text }) => text.includes('<FormDialog'))
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter(({ text }) => !/\bdraft=/.test(text)).map(({ file }) => file)).toEqual([])
})

it('is used by every confirmation that asks for a text', () => {
  const questions = readSources().filter(({ text }) =>
    /modal\.confirm\((?:(?!\n {2}\}\n)[\s\S])*?<Input\b/.test(text),
  )
  expect(questions.map(({ file }) => file)).toEqual(['shared/src/ui/confirmWithReason.tsx'])
})
