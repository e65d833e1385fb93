import type { Db } from '../../core/db/db'
import { log } from '../../core/logging/log'
import { startProjectChangeCheck } from './projectChangeCheck'

it('announces changes of one kind of rows while the reading of another kind fails', async () => {
  jest.useFakeTimers()
  jest.spyOn(log, 'error').mockImplementation()
  let version = 0
  let shouldFail = false
  const onDevicesChanged = jest.fn()
  const onScenesChanged = jest.fn()
  const readVersion = async () => new Map([[1, String(version)]])
  const changeCheck = startProjectChangeCheck({} as Db, () => new Set([1]), [
    {
      readFingerprints: () =>
        shouldFail ? Promise.reject(new Error('canceling statement')) : readVersion(),
      onChanged: onDevicesChanged,
    },
    { readFingerprints: readVersion, onChanged: onScenesChanged },
  ])
  await changeCheck.addProject(1)
  version++
  shouldFail = true
  await jest.advanceTimersByTimeAsync(1100)
  expect(onScenesChanged).toHaveBeenCalledWith(1)
  expect(onDevicesChanged).not.toHaveBeenCalled()
  shouldFail = false
  await jest.advanceTimersByTimeAsync(1100)
  expect(onDevicesChanged).toHaveBeenCalledWith(1)
  changeCheck.stop()
  jest.useRealTimers()
})
