import { useRequest } from 'ahooks'
import { App, Flex, Form, Input, Spin, Tree } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  type ProductCategory,
  productCategoryApi,
  type StandardCategory,
  standardCategoryApi,
} from '@iot/shared/contract/category'
import { foldSearch } from '@iot/shared/contract/text'
import type { Tree as CategoryTree } from '@iot/shared/contract/tree'
import { RightModal } from '@iot/shared/ui/rightModal'
import { FailedLine } from '@iot/shared/ui/usePage'
import { useComposed } from '@iot/shared/ui/composition'
import { CategoryParent } from './CategoryParent'

type StandardLibraryProps = {
  tree: CategoryTree<ProductCategory>
  parentId: string | null
  onCopied: () => void
  onClose: () => void
}

const namesShown = 4
const words = ({ model }: StandardCategory) => {
  const names = [...model.properties, ...model.services, ...model.events].map(({ name }) => name)
  const shown = names.slice(0, namesShown).join('、')
  return names.length > namesShown ? `${shown} 等 ${names.length} 项` : shown
}

/**
 * Copies categories with their functions from the platform's standard library; those not yet present are preselected.
 */
export default function StandardLibrary({
  tree,
  parentId: given,
  onCopied,
  onClose,
}: StandardLibraryProps) {
  const { message } = App.useApp()
  const [parentId, setParentId] = useState(given)
  const [asked, setAsked] = useState('')
  const composed = useComposed(asked)
  const [chosen, setChosen] = useState<string[]>()
  const {
    data: library = [],
    error,
    loading,
    refresh,
  } = useRequest(() => call(standardCategoryApi.list, {}, { inline: true }))
  const standing = new Set(tree.ordered().map(({ code }) => code))
  const free = library.filter(({ code }) => !standing.has(code)).map(({ code }) => code)
  const codes = chosen ?? free

  const matching = library.filter((one) =>
    foldSearch(`${one.name} ${one.group} ${one.code}`).includes(foldSearch(composed)),
  )
  const groups = [...new Set(matching.map(({ group }) => group))]
  const inView = new Set(matching.map(({ code }) => code))
  // Categories hidden by the search are not copied, because the user sees only the matches.
  const ticked = codes.filter((code) => inView.has(code))

  const { run: copy, loading: copying } = useRequest(
    () => call(productCategoryApi.copyStandard, { parentId, codes: ticked }),
    {
      manual: true,
      onError: () => {},
      onSuccess({ copied }) {
        message.success(`已复制 ${copied} 个品类，功能已发布为版本 1`)
        onCopied()
        onClose()
      },
    },
  )
  return (
    <RightModal
      open
      to={productCategoryApi.copyStandard}
      title="从标准品类库复制"
      width={640}
      style={{ top: 40 }}
      okText={`复制 ${ticked.length} 个`}
      okButtonProps={{ disabled: ticked.length === 0 }}
      confirmLoading={copying}
      onOk={copy}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Form.Item label="放到" htmlFor="copyInto" style={{ margin: 0 }}>
          <CategoryParent
            id="copyInto"
            tree={tree}
            value={parentId ?? undefined}
            onChange={(id?: string) => setParentId(id ?? null)}
          />
        </Form.Item>
        <Input
          allowClear
          placeholder="搜索标准品类，如 灯"
          aria-label="搜索标准品类"
          value={asked}
          onChange={({ target }) => setAsked(target.value)}
        />
        {error && <FailedLine why={error.message} hasRows={library.length > 0} onRetry={refresh} />}
        <Spin spinning={loading}>
          <div style={{ height: 'calc(100vh - 400px)', minHeight: 200, overflow: 'auto' }}>
            {groups.length > 0 && (
              <Tree
                key={groups.join()}
                checkable
                selectable={false}
                defaultExpandAll
                checkedKeys={ticked}
                onCheck={(keys) => {
                  const here = (keys as string[]).filter((key) => inView.has(key))
                  setChosen([...codes.filter((code) => !inView.has(code)), ...here])
                }}
                treeData={groups.map((group) => ({
                  key: `group:${group}`,
                  title: group,
                  children: matching
                    .filter((one) => one.group === group)
                    .map((one) => ({
                      key: one.code,
                      disabled: standing.has(one.code),
                      title: standing.has(one.code)
                        ? `${one.name}（已有）`
                        : `${one.name}：${words(one)}`,
                    })),
                }))}
              />
            )}
            {!loading && !error && groups.length === 0 && '没有找到，换个词试试'}
          </div>
        </Spin>
      </Flex>
    </RightModal>
  )
}
