import { call } from '@iot/shared/client/call'
import { ManagedSpace, type SpaceDraft } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { spaceTypeText, listChildTypes } from '@iot/shared/contract/project/spaceTree'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { RadioItem, TextItem } from '@iot/shared/ui/items'

/** The form adds a space below another one, renames a space, or copies a floor. */
export type SpaceEditing =
  | { kind: 'new'; above?: ManagedSpace }
  | { kind: 'rename' | 'copy'; space: ManagedSpace }

type Draft = Pick<SpaceDraft, 'type' | 'name'>
type SpaceFormProps = {
  projectId: number
  editing: SpaceEditing
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function SpaceForm({ projectId, editing, ...rest }: SpaceFormProps) {
  const isNew = editing.kind === 'new'
  const parentSpace = isNew ? editing.above : undefined
  const allowedTypes = listChildTypes(parentSpace?.type ?? null)
  const initial = isNew
    ? { type: allowedTypes[0]!, name: '' }
    : editing.kind === 'copy'
      ? { type: editing.space.type, name: `${editing.space.name} 副本` }
      : editing.space
  const title = isNew
    ? parentSpace
      ? `在“${parentSpace.name}”下新建`
      : '新建楼栋'
    : editing.kind === 'copy'
      ? `复制“${editing.space.name}”`
      : '改名'

  return (
    <FormDialog<Draft>
      title={title}
      schema={ManagedSpace}
      initial={initial}
      draft={`space/${isNew ? (parentSpace?.id ?? projectId) : `${editing.kind}/${editing.space.id}`}`}
      to={isNew ? spaceApi.create : editing.kind === 'copy' ? spaceApi.copy : spaceApi.update}
      send={({ type, name }, revision, options) =>
        isNew
          ? call(
              spaceApi.create,
              { projectId, parentId: parentSpace?.id ?? null, type, name },
              options,
            )
          : revision
            ? call(spaceApi.update, { ...revision, name }, options)
            : call(spaceApi.copy, { id: editing.space.id, name }, options)
      }
      {...rest}
    >
      {allowedTypes.length > 1 && isNew && (
        <RadioItem
          of={ManagedSpace}
          name="type"
          options={allowedTypes.map((value) => ({ value, label: spaceTypeText[value] }))}
        />
      )}
      <TextItem
        of={ManagedSpace}
        name="name"
        extra={
          editing.kind === 'copy' &&
          '平面图、区域和房间一起复制；设备仍在原来的楼层。新楼层的设备登记后，在“摆放设备”里可以照原楼层摆放。'
        }
        autoFocus
      />
    </FormDialog>
  )
}
