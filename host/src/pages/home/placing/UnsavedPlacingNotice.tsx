import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { UnsavedDraftNotice } from '../UnsavedDraftNotice'
import { getPlacingDraftKey, findLastDraftFloor } from './placingDraft'

/** Offers unsaved positions to users who may place devices, one floor after another. */
export default function UnsavedPlacingNotice({ tree }: { tree: SpaceTree }) {
  const navigate = useNavigate()
  const can = useCan()
  const [floor, setFloor] = useState(() => findLastDraftFloor(tree))
  return (
    floor &&
    can(managedDeviceApi.place) && (
      <UnsavedDraftNotice
        key={floor.id}
        draftKey={getPlacingDraftKey(floor.id)}
        what={`摆放：${tree.nameOf(floor.id)}`}
        onContinue={() => void navigate(paths.home({ placing: floor.id }))}
        onDiscard={() => setFloor(findLastDraftFloor(tree))}
      />
    )
  )
}
