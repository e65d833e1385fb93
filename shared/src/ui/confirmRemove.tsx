import Flex from 'antd/es/flex'
import { call, CallError } from '../client/call'
import { responseCodes, type Endpoint, type References } from '../contract/endpoint'
import { useFeedback } from './feedback'

const removeOptions = { handles: [responseCodes.referenced as number] }

/**
 * Confirms a removal, runs it and shows its result. If other rows refer to the record, they are listed.
 * @example const remove = (brand: Brand) => confirmRemove(brand.name, (options) => call(brandApi.remove, { id: brand.id
 * }, options).then(refresh))
 */
export function useConfirmRemove() {
  const { modal, message } = useFeedback()

  const showReferences = (name: string, error: CallError) => {
    const { references } = error.data as References
    modal.warning({
      title: `“${name}”还不能删除`,
      content: (
        <Flex vertical gap={8}>
          <span>{error.message}</span>
          <ul style={{ margin: 0, paddingInlineStart: 20, maxHeight: 240, overflow: 'auto' }}>
            {references.map(({ entity, id, name }) => (
              <li key={entity + id}>
                <span style={{ color: 'var(--ant-color-text-secondary)' }}>{entity}</span> {name}
              </li>
            ))}
          </ul>
        </Flex>
      ),
    })
  }

  return (name: string, remove: (options: typeof removeOptions) => Promise<unknown>) =>
    modal.confirm({
      title: `删除“${name}”？`,
      content: '删除后不能恢复。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () =>
        remove(removeOptions).then(
          () => void message.success(`“${name}”已删除`),
          (error: unknown) => {
            if (error instanceof CallError && error.code === responseCodes.referenced)
              showReferences(name, error)
          },
        ),
    })
}

/**
 * Returns a function that removes a row of a list after a confirmation.
 * @example const remove = useRemoveRow(brandApi.remove, list.refresh)
 */
export function useRemoveRow(endpoint: Endpoint, onRemoved: () => void) {
  const confirmRemove = useConfirmRemove()
  return ({ id, name }: { id: string; name: string }) =>
    confirmRemove(name, (options) => call(endpoint, { id }, options).then(onRemoved))
}
