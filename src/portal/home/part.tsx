import type { ComponentProps } from "react";

/** What its role says that it is: tables whose rows are placed by hand have no elements of their own. */
export const Part = (props: ComponentProps<"div">) => <div {...props} />;
