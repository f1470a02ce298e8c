/** The parts of the drag-and-drop library in use, which are loaded after the first page. */
export { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
export { setCustomNativeDragPreview } from "@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview";
