import Checkbox from 'antd/es/checkbox'
import Form from 'antd/es/form'
import Modal from 'antd/es/modal'
import { cardText, getCardSceneIds, getCardScope } from '@iot/shared/contract/project/viewCard'
import { cardKinds, type CardConfig, ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { TextItem } from '@iot/shared/ui/items'
import { focusOnOpen } from '../focusOnOpen'
import type { Groups } from '../useGroups'
import { CardFields } from './CardFields'
import type { CardScope } from './scope'

type FormValues = Record<string, unknown> & { title: string; only: boolean; scope?: CardScope }
type CardFormProps = {
  card: ViewCard
  projectId: number
  tree: SpaceTree
  groups: Groups
  onDone: (card: ViewCard) => void
  onClose: () => void
}

/** Edits the settings of a card. They are stored when the view is saved. */
export function CardForm({ card, projectId, tree, groups, onDone, onClose }: CardFormProps) {
  const [form] = Form.useForm<FormValues>()
  const { kind } = card.config
  const initial = {
    ...card.config,
    scope: getCardScope(card.config),
    title: card.title,
    only: card.projectId !== null,
  }
  const submitCard = ({ title, only, scope, ...values }: FormValues) => {
    const { groupId: _, ...previousConfig } = { groupId: undefined, ...card.config }
    const mergedConfig = { ...previousConfig, ...values, ...(scope && toScopeConfig(scope)) }
    // Parsing puts the keys into the order of the contract, so that equal settings compare as equal.
    const config = cardKinds[kind].parse(mergedConfig) as CardConfig
    const isProjectOnly =
      getCardScope(config).kind !== 'project' || getCardSceneIds(config).length > 0
    onDone({
      ...card,
      title: title.trim(),
      projectId: only || isProjectOnly ? projectId : null,
      config,
    })
  }
  return (
    <Modal
      open
      title={`卡片：${cardText[kind]}`}
      width={560}
      okText="确定"
      onOk={form.submit}
      onCancel={onClose}
      afterOpenChange={focusOnOpen(() => form.focusField(kind === 'note' ? 'text' : 'title'))}
    >
      <Form<FormValues>
        form={form}
        layout="vertical"
        initialValues={initial}
        onFinish={submitCard}
        style={{ paddingTop: 8 }}
      >
        <TextItem
          of={ViewCard}
          name="title"
          placeholder={kind === 'note' ? '没有标题' : cardText[kind]}
        />
        <CardFields {...{ kind, projectId, tree, groups }} />
        <Form.Item shouldUpdate noStyle>
          {({ getFieldsValue }) => {
            const { scope, sceneIds } = getFieldsValue(true) as typeof initial & {
              sceneIds?: string[]
            }
            const isProjectOnly = scope.kind !== 'project' || (sceneIds ?? []).length > 0
            return (
              <Form.Item name="only" valuePropName="checked" noStyle={false}>
                <ProjectOnlyCheckbox isOfProject={isProjectOnly} />
              </Form.Item>
            )
          }}
        </Form.Item>
      </Form>
    </Modal>
  )
}

type ProjectOnlyCheckboxProps = {
  isOfProject: boolean
  checked?: boolean
  onChange?: (checked: boolean) => void
}
const ProjectOnlyCheckbox = ({ isOfProject, checked, onChange }: ProjectOnlyCheckboxProps) => (
  <Checkbox
    checked={isOfProject || checked}
    disabled={isOfProject}
    onChange={({ target }) => onChange?.(target.checked)}
  >
    只在当前项目显示{isOfProject && '（所选范围或场景属于当前项目）'}
  </Checkbox>
)

const toScopeConfig = (scope: CardScope) =>
  scope.kind === 'group'
    ? { spaceId: null, groupId: scope.groupId }
    : { spaceId: scope.kind === 'space' ? scope.spaceId : null }
