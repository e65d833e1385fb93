import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { Unfinished } from '../Unfinished'
import { draftOf, lastFloor } from './draft'

/** Offers unsaved positions to users who may place devices, one floor after another. */
export default function UnfinishedPlacing({ tree }: { tree: SpaceTree }) {
  const navigate = useNavigate()
  const can = useCan()
  const [floor, setFloor] = useState(() => lastFloor(tree))
  return (
    floor &&
    can(managedDeviceApi.place) && (
      <Unfinished
        key={floor.id}
        draft={draftOf(floor.id)}
        what={`摆放：${tree.nameOf(floor.id)}`}
        onGoOn={() => void navigate(paths.home({ placing: floor.id }))}
        onGiveUp={() => setFloor(lastFloor(tree))}
      />
    )
  )
}
