import type { ComponentProps } from "react";

/** An element whose role says what it is; rows positioned by hand can't be table elements. */
export const Part = (props: ComponentProps<"div">) => <div {...props} />;
