"""many_shared.py N: a program whose parallel construct shares N variables, and sees each of them as it is."""
import sys

names = [f"v{i}" for i in range(int(sys.argv[1]))]
print("int main(void) {\n  int sum = 0;")
print("\n".join(f"  int {name} = {i};" for i, name in enumerate(names)))
print("#pragma omp parallel num_threads(2)\n  {\n    int mine = 0;")
print("\n".join(f"    mine += {name};" for name in names))
print("#pragma omp atomic\n    sum += mine;\n#pragma omp barrier\n#pragma omp critical\n    {")
print("\n".join(f"    {name} += 1;" for name in names))
print("    }\n  }")
print(f"  return sum != {sum(range(len(names))) * 2} || {' + '.join(names)} != {sum(range(len(names))) + 2 * len(names)};\n}}")
