"""The state of the hardware: what is wrong with a part, and what to try.

May use devices, the table and plug-ins. It knows no page.
"""
